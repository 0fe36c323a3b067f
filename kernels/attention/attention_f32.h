// SPDX-License-Identifier: Apache-2.0
//
// Bidirectional multi-head attention over packed sequences, forward only, fp32:
//
//   out[i][h] = sum_j softmax_j( scale * q[i][h] . k[j][h / (heads / kv_heads)] ) v[j][...]   i, j in the same sequence
//
// Scores never reach memory as a matrix: a block of query rows meets blocks of keys whose size does not depend on the
// sequence, with an online softmax (Milakov & Gimelshein 2018). A sequence's bits depend on its own length and the level
// only.
#pragma once

#include <cstdint>
#include <span>

#include "base/thread_pool.h"
#include "kernels/kernel_list.h"

namespace quire::kernels {

struct AttentionShape {
  Index heads = 0;
  Index kv_heads = 0;   // divides heads
  Index head_dim = 0;   // a multiple of 8
  float scale = 0;      // usually 1 / sqrt(head_dim)
};

struct AttentionF32Args {
  AttentionShape shape;
  const float* q = nullptr;  // [tokens x heads * head_dim]; strides in elements
  Index q_stride = 0;
  const float* k = nullptr;  // [tokens x kv_heads * head_dim]
  Index k_stride = 0;
  const float* v = nullptr;  // likewise
  Index v_stride = 0;
  float* out = nullptr;      // [tokens x heads * head_dim]; may not alias q, k or v
  Index out_stride = 0;
  std::span<const std::int32_t> cu_seqlens;  // sequence s holds tokens [cu_seqlens[s], cu_seqlens[s + 1])
  float* workspace = nullptr;                // attention_workspace() elements, 64-byte aligned
};

struct AttentionF32;  // one level's functions, see attention_impl.h

std::span<const KernelEntry<AttentionF32>> attention_f32_kernels();

// Elements of workspace for `tokens` packed tokens in at most `sequences` sequences with `threads` threads. Linear in
// tokens (K packed once per key/value head) plus a constant per sequence and per thread.
Index attention_workspace(const AttentionF32& kernel, const AttentionShape& shape, Index tokens, Index sequences,
                          int threads);

void attention(const AttentionF32& kernel, const AttentionF32Args& args, ThreadPool& pool);

}  // namespace quire::kernels
