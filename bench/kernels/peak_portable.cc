// SPDX-License-Identifier: Apache-2.0
#include "bench/kernels/peak_impl.h"

namespace quire::bench {

double peak_portable(Index rounds) { return Peak<kernels::simd::Portable>::run(rounds); }

}  // namespace quire::bench
