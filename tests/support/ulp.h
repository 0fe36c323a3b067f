// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

namespace quire::test {

// One unit in the last place of a float near `value`: the gap between neighbours in its binade, at least the smallest
// denormal.
inline double ulp(double value) {
  constexpr int kDigits = std::numeric_limits<float>::digits, kLeast = std::numeric_limits<float>::min_exponent;
  if (value == 0) return std::ldexp(1.0, kLeast - kDigits);
  const int exponent = std::ilogb(value) + 1;
  return std::ldexp(1.0, (exponent < kLeast ? kLeast : exponent) - kDigits);
}

// How far `got` is from the exact `want`, in units in the last place of `want`. NaN for NaN and equal infinities are 0
// apart; any other pair with NaN or infinity is infinitely far.
inline double ulp_error(float got, double want) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isinf(want) || std::isinf(got)) return got == want ? 0 : std::numeric_limits<double>::infinity();
  return std::abs(static_cast<double>(got) - want) / ulp(want);
}

}  // namespace quire::test
