// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/simd_ops_impl.h"

namespace quire::test {

constexpr SimdOps kSimdOpsAvx2 = SimdOpsImpl<kernels::simd::Avx2>::kOps;

}  // namespace quire::test
