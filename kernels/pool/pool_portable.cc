// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool/pool_impl.h"
#include "kernels/pool/pool_levels.h"

namespace quire::kernels {

void pool_mean_portable(const PoolArgs& args) { PoolImpl<simd::Portable>::mean(args); }

void pool_max_portable(const PoolArgs& args) { PoolImpl<simd::Portable>::max(args); }

void l2_normalize_portable(float* v, Index n) { PoolImpl<simd::Portable>::l2_normalize(v, n); }

}  // namespace quire::kernels
