// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/simd_ops_impl.h"

namespace quire::test {

constexpr SimdOps kSimdOpsAvx512 = SimdOpsImpl<kernels::simd::Avx512>::kOps;

}  // namespace quire::test
