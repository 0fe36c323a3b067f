// SPDX-License-Identifier: Apache-2.0
#include "bench/kernels/peak_impl.h"

namespace quire::bench {

double peak_avx2(Index rounds) { return Peak<kernels::simd::Avx2>::run(rounds); }

}  // namespace quire::bench
