// SPDX-License-Identifier: Apache-2.0
//
// The vector types of the levels. A per-level file is compiled with that level's flags and sees the levels below too;
// everything in it carries the architecture as a template parameter, or else the linker would merge functions that were
// compiled for different CPUs (docs/kernels.md).
#pragma once

#include <xsimd/xsimd.hpp>

#include "base/types.h"

namespace quire::kernels::simd {

#if defined(__x86_64__)
using Portable = xsimd::sse2;
#elif defined(__aarch64__)
using Portable = xsimd::neon64;
#else
using Portable = xsimd::default_arch;
#endif

#if defined(__AVX2__) && defined(__FMA__)
using Avx2 = xsimd::fma3<xsimd::avx2>;
#endif

#if defined(__AVX512BW__) && defined(__AVX512DQ__)
using Avx512 = xsimd::avx512bw;
#endif

template <class Arch>
using Vec = xsimd::batch<float, Arch>;
template <class Arch>
using IntVec = xsimd::batch<std::int32_t, Arch>;

template <class Arch>
inline constexpr Index kLanes = static_cast<Index>(Vec<Arch>::size);

}  // namespace quire::kernels::simd

// For helpers that must vanish into their callers: a call would spill the registers that hold a tile.
#define QUIRE_INLINE inline __attribute__((always_inline))
