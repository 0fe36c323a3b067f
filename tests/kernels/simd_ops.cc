// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/simd_ops.h"

#include <array>

namespace quire::test {

std::span<const kernels::KernelEntry<SimdOps>> simd_ops() {
  static const std::array kList {
#if defined(__x86_64__)
    kernels::KernelEntry<SimdOps>{Level::avx512, "simd_avx512", kSimdOpsAvx512},
        kernels::KernelEntry<SimdOps>{Level::avx2, "simd_avx2", kSimdOpsAvx2},
#endif
        kernels::KernelEntry<SimdOps>{Level::portable, "simd_portable", kSimdOpsPortable},
  };
  return kList;
}

}  // namespace quire::test
