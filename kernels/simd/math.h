// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions over vectors of fp32. Every bound here is the one that tests/kernels/simd_math_test.cc checks
// and docs/numerics.md lists; they hold at every level. Polynomials are minimax fits, made by tools/numerics/fit.py.
// NaN passes through all of them.
#pragma once

#include <bit>
#include <cstddef>

#include "kernels/simd/fma.h"

namespace quire::kernels::simd {

// sum_i c[i] x^i for i in [kBegin, kBegin + kCount), divided by x^kBegin. powers[j] = x^(2^j). Estrin's scheme: halves
// are summed apart, so that the chain of dependent multiply-adds is log2(kCount) long. Horner's is kCount long and
// fills the scheduler with waiting instructions.
template <class Arch, std::size_t kBegin, std::size_t kCount>
QUIRE_INLINE Vec<Arch> estrin(const float* c, const Vec<Arch>* powers) {
  if constexpr (kCount == 1) {
    return Vec<Arch>(c[kBegin]);
  } else {
    constexpr std::size_t kHalf = std::bit_floor(kCount - 1), kPower = std::bit_width(kHalf) - 1;
    const Vec<Arch> low = estrin<Arch, kBegin, kHalf>(c, powers);
    const Vec<Arch> high = estrin<Arch, kBegin + kHalf, kCount - kHalf>(c, powers);
    return fma<Arch>(high, powers[kPower], low);
  }
}

// sum_i c[i] x^i.
template <class Arch, std::size_t N>
QUIRE_INLINE Vec<Arch> polynomial(const float (&c)[N], const Vec<Arch>& x) {
  constexpr std::size_t kPowers = std::bit_width(N - 1);
  Vec<Arch> powers[kPowers] = {x};
  for (std::size_t j = 1; j < kPowers; ++j) powers[j] = powers[j - 1] * powers[j - 1];
  return estrin<Arch, 0, N>(c, powers);
}

// exp(r) 2^n: exp(x) with x = n ln 2 + r, |r| <= ln 2 / 2, for x where the result is a normal number. The sum with
// 1.5 * 2^23 leaves the rounded n in the low bits of the mantissa, from where a shift brings it to the exponent.
template <class Arch>
QUIRE_INLINE Vec<Arch> exp_normal(const Vec<Arch>& x) {
  using V = Vec<Arch>;
  using I = IntVec<Arch>;
  constexpr float kLog2e = 0x1.715476p+0f, kRound = 0x1.8p+23f;
  constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f;  // ln 2 in two parts; n * high is exact
  static constexpr float kExp[] = {
      1.0f, 1.0f, 4.999999404e-01f, 1.666652113e-01f, 4.166827351e-02f, 8.368685842e-03f, 1.382013550e-03f};
  const V shifted = fma<Arch>(x, V(kLog2e), V(kRound));
  const V n = shifted - V(kRound);
  const V r = fma<Arch>(n, V(-kLn2Low), fma<Arch>(n, V(-kLn2High), x));
  const I bits = std::bit_cast<I>(polynomial<Arch>(kExp, r)) + (std::bit_cast<I>(shifted) << 23);
  return std::bit_cast<V>(bits);
}

// exp(x) for x <= 0, as softmax needs it: at most 1.8 ULP for x >= -87.3; exactly 0 below, where the result would leave
// the normal numbers. exp(-inf) = 0, exp(0) = 1.
template <class Arch>
QUIRE_INLINE Vec<Arch> exp_nonpositive(const Vec<Arch>& x) {
  return xsimd::select(x < Vec<Arch>(-87.3f), Vec<Arch>(0.0f), exp_normal<Arch>(x));
}

template <class Arch>
QUIRE_INLINE Vec<Arch> relu(const Vec<Arch>& x) {
  return xsimd::max(Vec<Arch>(0.0f), x);  // max(0, NaN) is its second operand, NaN
}

// x / (1 + exp(-x)), through exp(-|x|), which cannot overflow. At most 4 ULP for x >= -87; within
// 1.2e-36 below, where the result is 0 at last.
template <class Arch>
QUIRE_INLINE Vec<Arch> silu(const Vec<Arch>& x) {
  using V = Vec<Arch>;
  const V e = exp_nonpositive<Arch>(-xsimd::abs(x));
  return x * xsimd::select(x < V(0.0f), e, V(1.0f)) / (V(1.0f) + e);
}

// tanh(x) = sign(x) (1 - e) / (1 + e), e = exp(-2 |x|); below 0.625, where 1 - e cancels, x + x^3 P(x^2). At most
// 1.8 ULP.
template <class Arch>
QUIRE_INLINE Vec<Arch> tanh(const Vec<Arch>& x) {
  using V = Vec<Arch>;
  static constexpr float kSmall[] = {-3.333328068e-01f, 1.333140880e-01f, -5.373706296e-02f, 2.063090354e-02f,
                                     -5.696336739e-03f};
  const V z = x * x;
  const V small = fma<Arch>(x * z, polynomial<Arch>(kSmall, z), x);
  const V e = exp_nonpositive<Arch>(V(-2.0f) * xsimd::abs(x));
  const V large = (V(1.0f) - e) / (V(1.0f) + e);
  return xsimd::select(xsimd::abs(x) < V(0.625f), small, xsimd::select(x < V(0.0f), -large, large));
}

// erf(x / sqrt 2) = x Q(t) with t = 2 x^2 / 5.5^2 - 1 in [-1, 1]; |x| is cut at 5.5, where the rest is 4e-8. One odd
// polynomial needs neither an exponential nor a division. Absolute error at most 2.9e-7.
template <class Arch>
QUIRE_INLINE Vec<Arch> erf_of_x_over_sqrt2(const Vec<Arch>& x) {
  using V = Vec<Arch>;
  constexpr float kCut = 5.5f;
  static constexpr float kQ[] = {2.571038604e-01f, -1.283446550e-01f, 9.547530860e-02f, -7.758618146e-02f,
                                 6.413998455e-02f, -5.209114030e-02f, 4.073122144e-02f, -3.001990728e-02f,
                                 2.045197040e-02f, -1.359381434e-02f, 9.246264584e-03f, -4.889873788e-03f,
                                 1.439941581e-03f, -1.027582330e-03f, 1.262760372e-03f, -4.799855524e-04f};
  const V cut = xsimd::max(V(-kCut), xsimd::min(V(kCut), x));
  return cut * polynomial<Arch>(kQ, fma<Arch>(cut * cut, V(2.0f / (kCut * kCut)), V(-1.0f)));
}

// x/2 (1 + erf(x / sqrt 2)). Absolute error at most 1.9e-7 max(|x|, 1).
template <class Arch>
QUIRE_INLINE Vec<Arch> gelu_erf(const Vec<Arch>& x) {
  const Vec<Arch> half = x * Vec<Arch>(0.5f);
  return fma<Arch>(half, erf_of_x_over_sqrt2<Arch>(x), half);
}

// x/2 (1 + tanh(u)) = x / (1 + exp(-2u)), u = sqrt(2/pi) (x + 0.044715 x^3). Absolute error at most 1.3e-7 max(|x|, 1).
template <class Arch>
QUIRE_INLINE Vec<Arch> gelu_tanh(const Vec<Arch>& x) {
  using V = Vec<Arch>;
  const V u2 = x * fma<Arch>(x * x, V(2.0f * 0.7978845608f * 0.044715f), V(2.0f * 0.7978845608f));
  const V e = exp_nonpositive<Arch>(-xsimd::abs(u2));
  return x * xsimd::select(u2 < V(0.0f), e, V(1.0f)) / (V(1.0f) + e);
}

}  // namespace quire::kernels::simd
