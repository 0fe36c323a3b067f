// SPDX-License-Identifier: Apache-2.0
//
// One number from a vector, in an order that is ours: halves are folded, lane i with lane i + lanes/2, until one is
// left. (xsimd's own order differs between its versions.)
#pragma once

#include "kernels/simd/arch.h"

namespace quire::kernels::simd {

template <class Arch, class Fold>
QUIRE_INLINE float fold_lanes(const Vec<Arch>& x, Fold fold) {
  alignas(Vec<Arch>) float lanes[Vec<Arch>::size];
  x.store_aligned(lanes);
  for (Index half = kLanes<Arch> / 2; half > 0; half /= 2)
    for (Index i = 0; i < half; ++i) lanes[i] = fold(lanes[i], lanes[i + half]);
  return lanes[0];
}

template <class Arch>
QUIRE_INLINE float reduce_add(const Vec<Arch>& x) {
  return fold_lanes<Arch>(x, [](float a, float b) { return a + b; });
}

// The largest lane; NaN when a lane is NaN.
template <class Arch>
QUIRE_INLINE float reduce_max(const Vec<Arch>& x) {
  return fold_lanes<Arch>(x, [](float a, float b) { return a > b || a != a ? a : b; });
}

}  // namespace quire::kernels::simd
