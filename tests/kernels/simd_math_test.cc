// SPDX-License-Identifier: Apache-2.0
//
// The elementary functions of kernels/simd/math.h against the double ones of the C library, over bit patterns that are
// a fixed stride apart: every binade, both signs, denormals and infinities.
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "tests/kernels/simd_ops.h"
#include "tests/reference/reference.h"
#include "tests/support/kernel_levels.h"
#include "tests/support/sizes.h"
#include "tests/support/tolerance.h"
#include "tests/support/ulp.h"

namespace quire::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Exact = std::function<double(double)>;

// Odd, so that the low bits of the mantissa vary.
std::uint32_t stride() { return few_many_or_most<std::uint32_t>(900001, 4099, 61); }

// Calls body(first, values, n) with vectors of the patterns in [first, last].
template <class Body>
void for_patterns(float first, float last, Body body) {
  constexpr Index kChunk = 512;
  float x[kChunk];
  const std::uint64_t from = std::bit_cast<std::uint32_t>(first), to = std::bit_cast<std::uint32_t>(last);
  std::uint64_t pattern = from;
  while (pattern <= to) {
    for (float& value : x) {
      value = std::bit_cast<float>(static_cast<std::uint32_t>(std::min(pattern, to)));
      pattern += stride();
    }
    body(x, kChunk);
  }
}

// The largest error over a range of patterns, in the unit of a bound.
struct Worst {
  double error = 0;
  float at = 0;
};

double error_in(ErrorUnit unit, float x, float got, double want) {
  if (unit == ErrorUnit::ulp || !std::isfinite(want)) return ulp_error(got, want);
  const double apart = std::abs(got - want);
  return unit == ErrorUnit::absolute ? apart : apart / std::max(std::abs(static_cast<double>(x)), 1.0);
}

const char* to_string(ErrorUnit unit) {
  return unit == ErrorUnit::ulp ? " ULP" : unit == ErrorUnit::absolute ? "" : " max(|x|, 1)";
}

class SimdMath : public KernelTest<SimdOps> {
 protected:
  void expect_within(const char* name, SimdOps::Map function, const Exact& exact, const FunctionBound& bound,
                     std::initializer_list<std::pair<float, float>> ranges) {
    Worst worst;
    for (const auto& [first, last] : ranges)
      for_patterns(first, last, [&](const float* x, Index n) {
        float y[512];
        function(x, y, n);
        for (Index i = 0; i < n; ++i) {
          const double error = error_in(bound.unit, x[i], y[i], exact(x[i]));
          if (!(error <= worst.error)) worst = {error, x[i]};
        }
      });
    std::printf("  %s: at most %.3g%s, at %.9g\n", name, worst.error, to_string(bound.unit), worst.at);
    EXPECT_LE(worst.error, bound.most) << name << "(" << worst.at << ")";
  }

  float value(SimdOps::Map function, float x) {
    float lanes[64], results[64];
    std::fill_n(lanes, 64, x);
    function(lanes, results, kernel().lanes);
    for (Index i = 1; i < kernel().lanes; ++i) EXPECT_EQ(ulp_error(results[i], results[0]), 0) << "lane " << i;
    return results[0];
  }
};

TEST_P(SimdMath, ExpOfNonpositive) {
  expect_within("exp_nonpositive", kernel().exp_nonpositive, [](double x) { return std::exp(x); }, kExpNonpositive,
                {{-0.0f, kExpLeast}});
}

TEST_P(SimdMath, ExpBelowTheNormalNumbersIsZero) {
  for_patterns(std::nextafter(kExpLeast, -kInfinity), -kInfinity, [&](const float* x, Index n) {
    float y[512];
    kernel().exp_nonpositive(x, y, n);
    for (Index i = 0; i < n; ++i) ASSERT_EQ(y[i], 0.0f) << x[i];
  });
  EXPECT_EQ(value(kernel().exp_nonpositive, -kInfinity), 0.0f);
  EXPECT_EQ(value(kernel().exp_nonpositive, 0.0f), 1.0f);
  EXPECT_EQ(value(kernel().exp_nonpositive, -0.0f), 1.0f);
}

TEST_P(SimdMath, Silu) {
  expect_within("silu", kernel().silu, reference::silu, kSilu, {{0.0f, kInfinity}, {-0.0f, -87.0f}});
}

TEST_P(SimdMath, SiluFarBelowGoesToZero) {
  expect_within("silu below -87", kernel().silu, reference::silu, kSiluFar,
                {{-87.0f, std::numeric_limits<float>::lowest()}});
}

TEST_P(SimdMath, Tanh) {
  expect_within("tanh", kernel().tanh, [](double x) { return std::tanh(x); }, kTanh,
                {{0.0f, kInfinity}, {-0.0f, -kInfinity}});
}

TEST_P(SimdMath, ErfOfXOverSqrt2) {
  expect_within("erf_of_x_over_sqrt2", kernel().erf_of_x_over_sqrt2,
                [](double x) { return std::erf(x / std::numbers::sqrt2); }, kErf,
                {{0.0f, kInfinity}, {-0.0f, -kInfinity}});
}

TEST_P(SimdMath, GeluErf) {
  expect_within("gelu_erf", kernel().gelu_erf, reference::gelu_erf, kGeluErf,
                {{0.0f, kInfinity}, {-0.0f, std::numeric_limits<float>::lowest()}});
}

TEST_P(SimdMath, GeluTanh) {
  expect_within("gelu_tanh", kernel().gelu_tanh, reference::gelu_tanh, kGeluTanh,
                {{0.0f, kInfinity}, {-0.0f, std::numeric_limits<float>::lowest()}});
}

TEST_P(SimdMath, ReluIsExact) {
  for (auto [first, last] : {std::pair{0.0f, kInfinity}, std::pair{-0.0f, -kInfinity}})
    for_patterns(first, last, [&](const float* x, Index n) {
      float y[512];
      kernel().relu(x, y, n);
      for (Index i = 0; i < n; ++i) ASSERT_EQ(y[i], x[i] < 0 ? 0.0f : x[i]);
    });
}

TEST_P(SimdMath, NanPasses) {
  for (SimdOps::Map function : {kernel().exp_nonpositive, kernel().relu, kernel().silu, kernel().tanh,
                                kernel().erf_of_x_over_sqrt2, kernel().gelu_erf, kernel().gelu_tanh}) {
    EXPECT_TRUE(std::isnan(value(function, kNan)));
    EXPECT_TRUE(std::isnan(value(function, -kNan)));
  }
}

QUIRE_FOR_EACH_ENTRY(SimdMath, SimdOps, simd_ops());

}  // namespace
}  // namespace quire::test
