// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/simd_ops_impl.h"

namespace quire::test {

constexpr SimdOps kSimdOpsPortable = SimdOpsImpl<kernels::simd::Portable>::kOps;

}  // namespace quire::test
