// SPDX-License-Identifier: Apache-2.0
//
// What a core could do at best: multiply-adds on registers only. Machines differ from second to second, so the rate of
// a kernel is set against this loop's in the same seconds.
#pragma once

#include "base/level.h"
#include "base/types.h"

namespace quire::bench {

// Runs `rounds` rounds of independent multiply-adds and returns how many floating-point operations these were.
using PeakFn = double (*)(Index rounds);

// The loop of a level: fused where kernels/simd/fma.h fuses. Never null.
PeakFn peak_of(Level level);

double peak_portable(Index rounds);
double peak_avx2(Index rounds);
double peak_avx512(Index rounds);

}  // namespace quire::bench
