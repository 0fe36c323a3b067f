// SPDX-License-Identifier: Apache-2.0
//
// The register tile that GEMM and attention share: a few rows of A times a narrow panel of B, sums in registers.
#pragma once

#include <utility>

#include "base/types.h"
#include "kernels/simd/fma.h"

namespace quire::kernels {

// Tile sizes by register count and latency. An FMA takes 4 cycles and two start per cycle, so at least 8 sums must be
// under way; each step of k loads kVectors vectors of B and broadcasts kRows values of A, on two load ports.
//   AVX-512, 32 registers: 14 x 2 sums, 2 of B, 1 broadcast = 31
//   16 registers (AVX2, SSE2, NEON's first half): 6 x 2 sums, 2 of B, 1 broadcast = 15
template <class Arch>
struct TileF32 {
  static constexpr Index kLanes = simd::kLanes<Arch>;
  static constexpr int kRows = kLanes >= 16 ? 14 : 6;
  static constexpr int kVectors = 2;
  static constexpr Index kColumns = kVectors * kLanes;
};

// Three rows hang on one pointer, by the address forms [p], [p + lda], [p + 2 lda]: 14 rows need 5 pointers and the
// stride, where one pointer a row would not fit the 16 integer registers.
inline constexpr int kRowsPerPointer = 3;

// C[r][v] = (kAccumulate ? C[r][v] : 0) + sum_k A[r][k] * B[k][v], r < Rows, v < Vectors * lanes, ascending k, one
// fused multiply-add each. Rows of B are ldb apart, rows of A lda, rows of C ldc, in elements.
template <class Arch, int Rows, int Vectors, bool kAccumulate>
inline __attribute__((always_inline)) void multiply_tile(const float* a, Index lda, const float* b, Index ldb, Index k,
                                                         float* c, Index ldc) {
  using V = simd::Vec<Arch>;
  constexpr Index kLanes = simd::kLanes<Arch>;
  constexpr int kPointers = (Rows + kRowsPerPointer - 1) / kRowsPerPointer;
  [&]<int... P, int... R, int... N>(std::integer_sequence<int, P...>, std::integer_sequence<int, R...>,
                                    std::integer_sequence<int, N...>) __attribute__((always_inline)) {
    const float* rows[kPointers] = {(a + P * kRowsPerPointer * lda)...};
    V sums[Rows][Vectors];
    const auto each_row = [&](auto body) __attribute__((always_inline)) { (body.template operator()<R>(), ...); };
    each_row([&]<int r>() __attribute__((always_inline)) {
      ((sums[r][N] = kAccumulate ? V::load_unaligned(c + r * ldc + N * kLanes) : V(0.0f)), ...);
    });
    for (Index step = 0; step < k; ++step, b += ldb) {
      const V panel[Vectors] = {V::load_unaligned(b + N * kLanes)...};
      each_row([&]<int r>() __attribute__((always_inline)) {
        const V value(rows[r / kRowsPerPointer][(r % kRowsPerPointer) * lda]);
        ((sums[r][N] = simd::fma<Arch>(value, panel[N], sums[r][N])), ...);
      });
      (++rows[P], ...);
    }
    each_row([&]<int r>()
                 __attribute__((always_inline)) { (sums[r][N].store_unaligned(c + r * ldc + N * kLanes), ...); });
  }
  (std::make_integer_sequence<int, kPointers>{}, std::make_integer_sequence<int, Rows>{},
   std::make_integer_sequence<int, Vectors>{});
}

// The same for a row count known at run time, 1 <= rows <= TileF32<Arch>::kRows.
template <class Arch, int Vectors, bool kAccumulate>
struct TileTable {
  using Fn = void (*)(const float* a, Index lda, const float* b, Index ldb, Index k, float* c, Index ldc);

  template <int Rows>
  static void run(const float* a, Index lda, const float* b, Index ldb, Index k, float* c, Index ldc) {
    multiply_tile<Arch, Rows, Vectors, kAccumulate>(a, lda, b, ldb, k, c, ldc);
  }

  static Fn of(Index rows) {
    return []<int... R>(Index r, std::integer_sequence<int, R...>) {
      static constexpr Fn kTable[] = {&run<R + 1>...};
      return kTable[r - 1];
    }(rows, std::make_integer_sequence<int, TileF32<Arch>::kRows>{});
  }
};

}  // namespace quire::kernels
