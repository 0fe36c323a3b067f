// SPDX-License-Identifier: Apache-2.0
//
// The one table of what kernels may be off by. docs/numerics.md and the kernels' headers state the same numbers.
// Integers, copies, maxima and packing are exact: tests compare their bits.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/types.h"
#include "kernels/activation.h"

namespace quire::test {

// Half the gap above 1: what one rounding to float costs, relative.
inline constexpr double kUnit = 0x1p-24;

// Elementary functions of kernels/simd/math.h: the largest error over a range. Measured over every 61st float
// (QUIRE_TEST_SIZES=large), then rounded up by about a tenth for the floats in between.
enum class ErrorUnit {
  ulp,  // units in the last place of the exact result
  absolute,
  of_argument  // max(|x|, 1)
};
struct FunctionBound {
  double most;
  ErrorUnit unit;
};
inline constexpr FunctionBound kExpNonpositive{1.8, ErrorUnit::ulp};
inline constexpr float kExpLeast = -87.3f;                              // exactly 0 below
inline constexpr FunctionBound kSilu{4.0, ErrorUnit::ulp};              // for x >= -87
inline constexpr FunctionBound kSiluFar{1.2e-36, ErrorUnit::absolute};  // below
inline constexpr FunctionBound kTanh{1.8, ErrorUnit::ulp};
inline constexpr FunctionBound kErf{2.9e-7, ErrorUnit::absolute};
inline constexpr FunctionBound kGeluErf{1.9e-7, ErrorUnit::of_argument};
inline constexpr FunctionBound kGeluTanh{1.3e-7, ErrorUnit::of_argument};

// A sum of `terms` products or numbers whose absolute values add up to `absolute_sum`, one rounding each. At worst the
// roundings add up: `terms` units. Independent roundings give lambda sqrt(terms) units but with probability
// 2 exp(-lambda^2 / 2) (Higham and Mary 2019, theorem 2.4); lambda = 6 makes that 3e-8. Two units more are for what
// happens to the sum after.
inline double sum_units(Index terms) {
  const double n = static_cast<double>(terms);
  return std::min(n, 6 * std::sqrt(n)) + 2;
}
inline double sum_bound(Index terms, double absolute_sum) { return sum_units(terms) * kUnit * absolute_sum; }

// What one element of a GEMM may be off by: its sum, passed on by an activation whose slope is at most 1.13 (GELU near
// 1.4), the activation's own error, and the residual's addition. `magnitude`: sum |a| |w| + |bias|, at least |x|.
inline double activation_error(kernels::Activation activation, double magnitude) {
  switch (activation) {
    case kernels::Activation::gelu_erf:
      return kGeluErf.most * std::max(magnitude, 1.0);
    case kernels::Activation::gelu_tanh:
      return kGeluTanh.most * std::max(magnitude, 1.0);
    case kernels::Activation::silu:
      return kSilu.most * 2 * kUnit * magnitude;
    case kernels::Activation::tanh:
      return kTanh.most * 2 * kUnit * std::min(magnitude, 1.0);
    case kernels::Activation::none:
    case kernels::Activation::relu:
      return 0;
  }
  return 0;
}
inline double gemm_bound(Index k, kernels::Activation activation, double magnitude, double result) {
  constexpr double kSteepest = 1.13;
  const double slope = activation == kernels::Activation::none ? 1 : kSteepest;
  return slope * sum_bound(k, magnitude) + activation_error(activation, magnitude) + kUnit * std::abs(result);
}

// What a softmax weight of n keys adds to the effect of its score's error, in units of itself: its exponential, the
// sums over the keys, and for each further block of keys one more exponential and two products that bring sums to a new
// maximum.
inline double attention_weight_units(Index n) {
  constexpr double kExp = 2 * kExpNonpositive.most;
  constexpr Index kKeyBlock = 512;
  return kExp + sum_units(n) + static_cast<double>(n / kKeyBlock) * (kExp + 3);
}

// y of a layer norm, in units of |gamma| (|t - mean| / deviation + 1) + |beta|: the statistics are exact to a few
// roundings whatever the mean is, the rest is elementwise.
inline constexpr double kLayerNormUnits = 16;

// A component of an L2-normalised vector of n: the sum of squares, halved by the root, then root and quotient.
inline double l2_bound(Index n, double component) {
  return sum_bound(n, std::abs(component)) / 2 + 2 * kUnit * std::abs(component);
}

}  // namespace quire::test
