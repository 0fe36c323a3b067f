// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/types.h"

namespace quire::test {

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers with every compiler and library, unlike std::*_distribution.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  Index below(Index n) { return static_cast<Index>(bits() % static_cast<std::uint64_t>(n)); }
  Index between(Index first, Index last) { return first + below(last - first + 1); }
  bool flip() { return (bits() >> 63) != 0; }
  float uniform(float from, float to) {
    const float unit = static_cast<float>(bits() >> 40) * 0x1p-24f;
    return from + (to - from) * unit;
  }
  float symmetric(float size = 1.0f) { return uniform(-size, size); }

 private:
  std::uint64_t state_;
};

}  // namespace quire::test
