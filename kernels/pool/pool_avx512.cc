// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool/pool_impl.h"
#include "kernels/pool/pool_levels.h"

namespace quire::kernels {

void pool_mean_avx512(const PoolArgs& args) { PoolImpl<simd::Avx512>::mean(args); }

void pool_max_avx512(const PoolArgs& args) { PoolImpl<simd::Avx512>::max(args); }

void l2_normalize_avx512(float* v, Index n) { PoolImpl<simd::Avx512>::l2_normalize(v, n); }

}  // namespace quire::kernels
