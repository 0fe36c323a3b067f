// SPDX-License-Identifier: Apache-2.0
#include "engine/pooling.h"

namespace quire::engine {
namespace {

void pool_one(const kernels::Pool& kernel, PoolingKind kind, const kernels::PoolArgs& args) {
  switch (kind) {
    case PoolingKind::mean:
    case PoolingKind::first_last:
      return kernel.mean(args);
    case PoolingKind::max:
      return kernel.max(args);
    case PoolingKind::cls:
      return kernels::pool_cls(args);
  }
}

}  // namespace

void pool_sequences(const kernels::Pool& kernel, PoolingKind kind, MatrixView<const float> tokens,
                    std::span<const std::int32_t> cu_seqlens, MatrixView<float> out, ThreadPool& pool) {
  pool.parallel_for(static_cast<Index>(cu_seqlens.size()) - 1, [&](Index s, int) {
    const auto at = static_cast<std::size_t>(s);
    pool_one(kernel, kind, {tokens.data, tokens.stride, cu_seqlens[at], cu_seqlens[at + 1], tokens.cols, out.row(s)});
  });
}

void average_rows(MatrixView<const float> first, Index rows, MatrixView<float> out) {
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < out.cols; ++c) out.row(r)[c] = 0.5f * (out.row(r)[c] + first.row(r)[c]);
}

}  // namespace quire::engine
