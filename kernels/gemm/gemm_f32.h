// SPDX-License-Identifier: Apache-2.0
//
// Matrix multiply, fp32:
//
//   C[m][n] = act( sum_k A[m][k] * W[n][k]  + bias[n] ) + residual[m][n]
//
// A [M x K] row-major with row stride lda; W [N x K], packed once per level; C [M x N] with row stride ldc. Sums are
// fp32 with one fused multiply-add per k (portable: multiply, then add), in ascending k, one accumulator per C element,
// so a row's bits depend on K and the level only: never on M, its position, N, blocks or threads. NaN and infinities
// pass as IEEE says. Nothing outside the M x K, M x N operands is read or written. C may alias residual (same pointer
// and stride), nothing else.
#pragma once

#include <span>

#include "base/aligned_memory.h"
#include "base/matrix_view.h"
#include "base/thread_pool.h"
#include "kernels/activation.h"
#include "kernels/kernel_list.h"

namespace quire::kernels {

struct GemmF32Args {
  const float* a = nullptr;
  Index lda = 0;
  const float* packed_w = nullptr;  // GemmF32::pack's output for these N, K
  float* c = nullptr;
  Index ldc = 0;
  Index m = 0, n = 0, k = 0;
  const float* bias = nullptr;      // [N] or null
  const float* residual = nullptr;  // [M x N] or null
  Index ldr = 0;
  Activation activation = Activation::none;
};

// Packed layout, version 1: panels of `nr` output channels, [ceil(N / nr)][K][nr], the last panel zero-filled; 64-byte
// aligned; no pointers, so that it can be mapped from a file.
struct GemmF32 {
  Index mr = 0;  // rows and columns of the register tile
  Index nr = 0;
  // C[row_begin..row_end) x panels [panel_begin..panel_end). Single-threaded.
  void (*block)(const GemmF32Args& args, Index row_begin, Index row_end, Index panel_begin, Index panel_end) = nullptr;
};

std::span<const KernelEntry<GemmF32>> gemm_f32_kernels();

// Elements (not bytes) of the packed form.
Index packed_size(const GemmF32& kernel, Index n, Index k);

// packed = W in the kernel's layout. Several row blocks of one matrix may be packed apart: `w` is rows
// [0, n) of a [n x k] matrix with row stride ldw, packed as columns [first_column, first_column + n) of a packed matrix
// of total_n columns (QKV stacked from three tensors).
void pack(const GemmF32& kernel, const float* w, Index ldw, Index n, Index k, Index first_column, Index total_n,
          float* packed);

// The whole product, cut into cache-sized tiles that the pool's threads take from a counter.
void gemm(const GemmF32& kernel, const GemmF32Args& args, ThreadPool& pool);

}  // namespace quire::kernels
