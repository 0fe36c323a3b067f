// SPDX-License-Identifier: Apache-2.0
#include "bench/kernels/peak.h"

namespace quire::bench {

PeakFn peak_of([[maybe_unused]] Level level) {
#if defined(__x86_64__)
  if (level >= Level::avx512) return &peak_avx512;
  if (level >= Level::avx2) return &peak_avx2;
#endif
  return &peak_portable;
}

}  // namespace quire::bench
