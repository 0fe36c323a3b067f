// SPDX-License-Identifier: Apache-2.0
#include "loader/finite.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace quire::loader {
namespace {

// Large enough to hide the test after each block, small enough to stay in L1 for the search that follows a hit.
constexpr Index kBlock = 2048;

// All exponent bits set: IEEE 754 infinity or NaN. On the bits, so that the loop is integer work that vectorises.
std::uint32_t is_non_finite(float value) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  return (std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent ? 1 : 0;
}

bool any_non_finite(const float* values, Index n) {
  std::uint32_t any = 0;
  for (Index i = 0; i < n; ++i) any |= is_non_finite(values[i]);
  return any != 0;
}

}  // namespace

Index first_non_finite(const float* values, Index n) {
  for (Index begin = 0; begin < n; begin += kBlock) {
    const Index end = std::min(begin + kBlock, n);
    if (!any_non_finite(values + begin, end - begin)) continue;
    return std::find_if(values + begin, values + end, is_non_finite) - values;
  }
  return -1;
}

}  // namespace quire::loader
