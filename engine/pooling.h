// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/matrix_view.h"
#include "base/thread_pool.h"
#include "kernels/pool/pool.h"

namespace quire::engine {

// first_last: mean over tokens of (h_1 + h_L) / 2, h_1 the output of the first layer and h_L of the last. A mean is
// linear, so the two layers are pooled apart and h_1 need not be kept.
enum class PoolingKind { mean, cls, max, first_last };

// out.row(s) = the pooled rows of sequence s, for every sequence. first_last pools like mean.
void pool_sequences(const kernels::Pool& kernel, PoolingKind kind, MatrixView<const float> tokens,
                    std::span<const std::int32_t> cu_seqlens, MatrixView<float> out, ThreadPool& pool);

// out.row(s) = (out.row(s) + first.row(s)) / 2
void average_rows(MatrixView<const float> first, Index rows, MatrixView<float> out);

}  // namespace quire::engine
