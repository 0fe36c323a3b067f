// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/simd/arch.h"

namespace quire::kernels::simd {

// a * b + c, rounded once where the level has FMA, else a product and a sum. Not xsimd::fma: xsimd 8.1 has none for
// AVX-512 and quietly multiplies, then adds, which costs half the speed and makes bits depend on xsimd's version.
template <class Arch>
QUIRE_INLINE Vec<Arch> fma(const Vec<Arch>& a, const Vec<Arch>& b, const Vec<Arch>& c) {
#ifdef __AVX512F__
  if constexpr (kLanes<Arch> == 16) return Vec<Arch>(_mm512_fmadd_ps(a, b, c));
#endif
#ifdef __FMA__
  if constexpr (kLanes<Arch> == 8) return Vec<Arch>(_mm256_fmadd_ps(a, b, c));
#endif
  return a * b + c;
}

}  // namespace quire::kernels::simd
