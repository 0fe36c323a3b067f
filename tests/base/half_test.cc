// SPDX-License-Identifier: Apache-2.0
//
// The reference decodes the formats from their definition and rounds by asking which of the two neighbours is nearer,
// in double precision, where all of it is exact.
#include "base/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace quire {
namespace {

struct Format {
  int exponent_bits;
  int fraction_bits;
};
constexpr Format kF16{5, 10};
constexpr Format kBf16{8, 7};

constexpr std::uint32_t kPatterns = 1u << 16;

double decode(Format format, std::uint32_t bits) {
  const int fraction = static_cast<int>(bits & ((1u << format.fraction_bits) - 1u));
  const int top = (1 << format.exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> format.fraction_bits) & top;
  const int bias = top / 2;
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  if (exponent == top) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - format.fraction_bits);
  return sign * std::ldexp(fraction + (1 << format.fraction_bits), exponent - bias - format.fraction_bits);
}

// Patterns of magnitudes grow with their value, so the neighbours are found by halving; the upper one may be infinity,
// whose place in rounding is that of the next power of two.
std::uint32_t round_magnitude(Format format, double magnitude) {
  const std::uint32_t infinity = ((1u << format.exponent_bits) - 1u) << format.fraction_bits;
  std::uint32_t low = 0, high = infinity;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (decode(format, middle) <= magnitude ? low : high) = middle;
  }
  const double below = decode(format, low);
  const double above =
      high == infinity ? 2 * decode(format, infinity - (1u << format.fraction_bits)) : decode(format, high);
  if (magnitude >= above) return high;
  const double to_low = magnitude - below, to_high = above - magnitude;
  if (to_low == to_high) return (low & 1u) == 0 ? low : high;
  return to_low < to_high ? low : high;
}

std::uint32_t reference_bits(Format format, float value) {
  return (std::signbit(value) ? 0x8000u : 0u) | round_magnitude(format, std::fabs(static_cast<double>(value)));
}

bool is_quiet(float value) { return (std::bit_cast<std::uint32_t>(value) & 0x00400000u) != 0; }

void expect_same_value(float found, double expected, std::uint32_t bits) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found) && is_quiet(found)) << std::hex << bits;
    return;
  }
  EXPECT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(static_cast<float>(expected)))
      << std::hex << bits;
}

template <class Half, class ToHalf>
void check_round_trip(Format format, ToHalf to_half) {
  for (std::uint32_t bits = 0; bits < kPatterns; ++bits) {
    const float wide = to_float(Half{static_cast<std::uint16_t>(bits)});
    expect_same_value(wide, decode(format, bits), bits);
    const std::uint32_t back = to_half(wide).bits;
    const std::uint32_t quiet_bit = std::isnan(wide) ? 1u << (format.fraction_bits - 1) : 0u;
    EXPECT_EQ(back, bits | quiet_bit) << std::hex << bits;
  }
}

TEST(F16, EveryPatternWidensExactlyAndComesBack) { check_round_trip<F16>(kF16, to_f16); }
TEST(Bf16, EveryPatternWidensExactlyAndComesBack) { check_round_trip<Bf16>(kBf16, to_bf16); }

// Every midpoint between neighbours (`low` is the pattern below it), one fp32 step to either side, and the value
// itself.
template <class ToHalf>
void check_rounding_near(Format format, std::uint32_t low, ToHalf to_half) {
  const double below = decode(format, low), above = decode(format, low + 1);
  const float middle =
      static_cast<float>(std::isinf(above) ? below + (below - decode(format, low - 1)) / 2 : (below + above) / 2);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float value : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, kInfinity)}) {
    for (const float given : {value, -value}) {
      ASSERT_EQ(to_half(given).bits, reference_bits(format, given)) << std::hexfloat << given;
    }
  }
}

TEST(F16, RoundsToNearestTiesToEvenAtEveryMidpoint) {
  for (std::uint32_t low = 0; low < 0x7C00; ++low) check_rounding_near(kF16, low, to_f16);
}

TEST(Bf16, RoundsToNearestTiesToEvenAtEveryMidpoint) {
  for (std::uint32_t low = 0; low < 0x7F80; ++low) check_rounding_near(kBf16, low, to_bf16);
}

TEST(Half, RoundsLikeTheReferenceAcrossAllOfFp32) {
  constexpr std::uint32_t kInfinity = 0x7F800000;
  for (std::uint32_t bits = 0; bits <= kInfinity; bits += 7919) {  // a prime: meets all low bits of fractions
    const float value = std::bit_cast<float>(bits);
    ASSERT_EQ(to_f16(value).bits, reference_bits(kF16, value)) << std::hexfloat << value;
    ASSERT_EQ(to_bf16(value).bits, reference_bits(kBf16, value)) << std::hexfloat << value;
  }
}

TEST(Half, EdgesOfTheRange) {
  EXPECT_EQ(to_f16(65504.0f).bits, 0x7BFF);  // the largest
  EXPECT_EQ(to_f16(65519.996f).bits, 0x7BFF);
  EXPECT_EQ(to_f16(65520.0f).bits, 0x7C00);  // halfway to the next power of two
  EXPECT_EQ(to_f16(-1e30f).bits, 0xFC00);
  EXPECT_EQ(to_f16(0x1p-24f).bits, 0x0001);  // the smallest
  EXPECT_EQ(to_f16(0x1p-25f).bits, 0x0000);  // half of it: the even neighbour is zero
  EXPECT_EQ(to_f16(-0.0f).bits, 0x8000);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::denorm_min()).bits, 0x0000);
  EXPECT_EQ(to_bf16(-0.0f).bits, 0x8000);
  EXPECT_EQ(to_bf16(-std::numeric_limits<float>::infinity()).bits, 0xFF80);
}

TEST(Half, NanStaysNan) {
  // Fraction bits only in the part that is cut off: cutting alone would make infinity of it.
  for (const std::uint32_t bits : {0x7F800001u, 0xFF800001u, 0x7FC00000u, 0x7FFFFFFFu}) {
    const float nan = std::bit_cast<float>(bits);
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    EXPECT_EQ(to_f16(nan).bits & 0xFE00u, sign | 0x7E00u) << std::hex << bits;
    EXPECT_EQ(to_bf16(nan).bits & 0xFFC0u, sign | 0x7FC0u) << std::hex << bits;
  }
}

template <class Half>
void check_widen(void (*widen)(const void*, Index, float*) noexcept) {
  std::vector<std::uint16_t> patterns(kPatterns);
  for (std::uint32_t bits = 0; bits < kPatterns; ++bits) patterns[bits] = static_cast<std::uint16_t>(bits);
  std::vector<unsigned char> bytes(2 * kPatterns + 1);
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1}}) {
    std::memcpy(bytes.data() + offset, patterns.data(), 2 * kPatterns);
    std::vector<float> out(kPatterns, -1.0f);
    widen(bytes.data() + offset, kPatterns, out.data());
    for (std::uint32_t bits = 0; bits < kPatterns; ++bits) {
      const float expected = to_float(Half{static_cast<std::uint16_t>(bits)});
      ASSERT_EQ(std::bit_cast<std::uint32_t>(out[bits]), std::bit_cast<std::uint32_t>(expected)) << std::hex << bits;
    }
  }
}

TEST(Widen, EqualsSingleConversionsAtAnyAlignment) {
  check_widen<F16>(widen_f16);
  check_widen<Bf16>(widen_bf16);
}

TEST(Widen, WritesNoMoreThanAsked) {
  const std::vector<std::uint16_t> ones(40, 0x3C00);
  for (Index n = 0; n <= 32; ++n) {
    std::vector<float> out(40, -7.0f);
    widen_f16(ones.data(), n, out.data());
    for (Index i = 0; i < 40; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i)], i < n ? 1.0f : -7.0f) << n;
    widen_bf16(ones.data(), n, out.data());
    for (Index i = n; i < 40; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i)], -7.0f) << n;
  }
}

}  // namespace
}  // namespace quire
