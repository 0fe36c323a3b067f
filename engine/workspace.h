// SPDX-License-Identifier: Apache-2.0
//
// Everything a forward pass writes, planned from shapes before anything is allocated: named regions of one arena.
#pragma once

#include <cstdint>

#include "base/matrix_view.h"
#include "base/status.h"
#include "engine/arena_plan.h"
#include "engine/kernel_set.h"
#include "engine/spec.h"

namespace quire::engine {

// What a session is made for.
struct Capacity {
  Index tokens = 0;     // packed tokens in one pass
  Index sequences = 0;  // sequences in one pass
};

// Rows of an MLP block: its wide intermediate lives for this many tokens at a time, whatever the batch. Bits do not
// depend on it.
inline constexpr Index kMlpBlockTokens = 512;

// A pass takes 1 to 2^31 - 1 tokens in at least one and at most as many sequences.
Status check_capacity(const Capacity& capacity);

// Elements from one row to the next: whole cache lines, an odd number of them. A power-of-two stride maps the rows that
// a register tile reads at the same time to the same cache sets.
Index padded_stride(Index cols);

// Views into an arena; plain pointers, no ownership.
struct Workspace {
  MatrixView<float> hidden;           // [tokens x hidden], the residual stream
  MatrixView<float> qkv;              // [tokens x q, k, v of all heads]
  MatrixView<float> context;          // [tokens x heads * head_dim], attention's output
  MatrixView<float> mlp;              // [min(tokens, kMlpBlockTokens) x widest intermediate]
  MatrixView<float> pooled;           // [sequences x hidden]
  MatrixView<float> first_pooled;     // [sequences x hidden], for first_last
  float* attention = nullptr;         // the attention kernel's own
  std::int32_t* positions = nullptr;  // [tokens]
};

class WorkspacePlan {
 public:
  // Fails when a size can not be addressed. Linear in tokens and in sequences.
  static Result<WorkspacePlan> make(const ModelSpec& spec, const KernelSet& kernels, int threads,
                                    const Capacity& capacity);

  const Capacity& capacity() const { return capacity_; }
  const ArenaPlan& arena() const { return arena_; }
  Workspace place(void* arena) const;  // the views of an arena that starts there

 private:
  struct Matrix {
    Index offset = 0, rows = 0, cols = 0, stride = 0;
  };
  Matrix add_matrix(const char* name, Index rows, Index cols);

  Capacity capacity_;
  ArenaPlan arena_;
  Matrix hidden_, qkv_, context_, mlp_, pooled_, first_pooled_;
  Index attention_ = 0, positions_ = 0;
};

}  // namespace quire::engine
