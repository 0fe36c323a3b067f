// SPDX-License-Identifier: Apache-2.0
//
// Bidirectional multi-head attention over packed sequences, forward only, fp32:
//
//   out[i][h] = sum_j softmax_j( scale * q[i][h] . k[j][g] ) v[j][g],   g = h / (heads / kv_heads), i, j in one
//   sequence
//
// Scores never reach memory as a matrix: a strip of query rows meets blocks of kKeyBlock keys, counted from the start
// of the sequence, with an online softmax (Milakov & Gimelshein 2018). Sums run in ascending j within a block. A
// sequence's bits depend on its own rows and the level only, not on its neighbours, threads or timing. NaN and
// infinities in the inputs pass into the rows that see them.
#pragma once

#include <cstdint>
#include <span>

#include "base/thread_pool.h"
#include "kernels/kernel_list.h"

namespace quire::kernels {

struct AttentionShape {
  Index heads = 0;
  Index kv_heads = 0;  // divides heads
  Index head_dim = 0;
  float scale = 0;  // > 0; usually 1 / sqrt(head_dim)
};

struct AttentionF32Args {
  AttentionShape shape;
  const float* q = nullptr;  // [tokens x heads * head_dim]; strides in elements
  Index q_stride = 0;
  const float* k = nullptr;  // [tokens x kv_heads * head_dim]
  Index k_stride = 0;
  const float* v = nullptr;  // likewise
  Index v_stride = 0;
  float* out = nullptr;  // [tokens x heads * head_dim]; may not alias q, k or v
  Index out_stride = 0;
  std::span<const std::int32_t> cu_seqlens;  // sequence s holds tokens [cu_seqlens[s], cu_seqlens[s + 1])
  float* workspace = nullptr;                // attention_workspace() elements, 64-byte aligned
};

// The keys and values of one sequence and one key/value head, packed:
//   keys   [ceil(n / key_panel)][head_dim][key_panel], the last panel zero-filled, so that a vector holds neighbouring
//   keys values [n][value_stride], value_stride = head_dim rounded up to whole vectors, zero-filled
struct PackedHead {
  float* keys = nullptr;
  float* values = nullptr;
  Index n = 0;  // keys
};

// One level's functions; all single-threaded.
struct AttentionF32 {
  Index key_panel = 0;  // keys to a panel
  Index lanes = 0;
  Index rows = 0;  // query rows to a strip
  // Packs rows [first, first + head.n) of k and v, head g.
  void (*pack)(const AttentionF32Args& args, Index first, Index g, const PackedHead& head) = nullptr;
  // Query rows [row_begin, row_end) of head h against `head`. scratch: rows * (kScoreStride + value_stride) elements,
  // 64-byte aligned, one piece per thread.
  void (*attend)(const AttentionF32Args& args, Index row_begin, Index row_end, Index h, const PackedHead& head,
                 float* scratch) = nullptr;
};

// Keys that meet a strip of queries at a time: with 14 rows the scores are 28 KiB and stay in L1 or close to it, and
// the work per row and block (maximum, rescaling) is spread over many keys.
inline constexpr Index kKeyBlock = 512;

// Rows of scores are an odd number of cache lines apart, so that a strip's rows do not fall into the same sets of L1.
inline constexpr Index kScoreStride = kKeyBlock + 16;

std::span<const KernelEntry<AttentionF32>> attention_f32_kernels();

// Elements of workspace for `tokens` packed tokens in at most `sequences` sequences with `threads` threads. Linear in
// tokens (K and V packed once per key/value head) plus a constant per sequence and per thread.
Index attention_workspace(const AttentionF32& kernel, const AttentionShape& shape, Index tokens, Index sequences,
                          int threads);

void attention(const AttentionF32& kernel, const AttentionF32Args& args, ThreadPool& pool);

}  // namespace quire::kernels
