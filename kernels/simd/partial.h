// SPDX-License-Identifier: Apache-2.0
//
// Vectors at the end of a row. Memory beyond the n elements is neither read nor written. 0 <= n <= lanes.
#pragma once

#include "kernels/simd/arch.h"

namespace quire::kernels::simd {

#ifdef __AVX2__
// The first n of 8 lanes, for vmaskmovps: a window into eight times -1, eight times 0.
template <class Arch>
QUIRE_INLINE __m256i lane_mask(Index n) {
  alignas(64) static constexpr std::int32_t kWindow[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kWindow + 8 - n));
}
#endif

// Lanes n and above are 0.
template <class Arch>
QUIRE_INLINE Vec<Arch> load_partial(const float* p, Index n) {
#ifdef __AVX512F__
  if constexpr (kLanes<Arch> == 16) return Vec<Arch>(_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1u), p));
#endif
#ifdef __AVX2__
  if constexpr (kLanes<Arch> == 8) return Vec<Arch>(_mm256_maskload_ps(p, lane_mask<Arch>(n)));
#endif
  alignas(Vec<Arch>) float lanes[Vec<Arch>::size] = {};
  for (Index i = 0; i < n; ++i) lanes[i] = p[i];
  return Vec<Arch>::load_aligned(lanes);
}

// Lanes n and above become 0.
template <class Arch>
QUIRE_INLINE Vec<Arch> first_lanes(const Vec<Arch>& x, Index n) {
#ifdef __AVX512F__
  if constexpr (kLanes<Arch> == 16) return Vec<Arch>(_mm512_maskz_mov_ps(static_cast<__mmask16>((1u << n) - 1u), x));
#endif
#ifdef __AVX2__
  if constexpr (kLanes<Arch> == 8) return Vec<Arch>(_mm256_and_ps(_mm256_castsi256_ps(lane_mask<Arch>(n)), x));
#endif
  alignas(Vec<Arch>) float lanes[Vec<Arch>::size];
  x.store_aligned(lanes);
  return load_partial<Arch>(lanes, n);
}

template <class Arch>
QUIRE_INLINE void store_partial(float* p, const Vec<Arch>& x, Index n) {
#ifdef __AVX512F__
  if constexpr (kLanes<Arch> == 16) {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1u), x);
    return;
  }
#endif
#ifdef __AVX2__
  if constexpr (kLanes<Arch> == 8) {
    _mm256_maskstore_ps(p, lane_mask<Arch>(n), x);
    return;
  }
#endif
  alignas(Vec<Arch>) float lanes[Vec<Arch>::size];
  x.store_aligned(lanes);
  for (Index i = 0; i < n; ++i) p[i] = lanes[i];
}

}  // namespace quire::kernels::simd
