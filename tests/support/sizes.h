// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace quire::test {

// QUIRE_TEST_SIZES=small: for an emulator, which runs a few million vector instructions per second.
// QUIRE_TEST_SIZES=large: for measuring the bounds that docs/numerics.md states; minutes.
inline std::string_view sizes_wish() {
  const char* wish = std::getenv("QUIRE_TEST_SIZES");
  return wish == nullptr ? "" : wish;
}
inline bool small_sizes() { return sizes_wish() == "small"; }

template <class T>
T few_many_or_most(T few, T many, T most) {
  return small_sizes() ? few : sizes_wish() == "large" ? most : many;
}

// `many`, or `few` where small sizes are asked for.
template <class T>
T many_or_few(T many, T few) {
  return few_many_or_most(few, many, many);
}

// Sizes at which vector code goes wrong: below, at and above each multiple of a vector's width (4, 8, 16 lanes), of a
// register tile and of a block, up to `largest`.
inline std::vector<Index> edge_sizes(Index largest) {
  constexpr Index kMany[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13,  14,  15,  16,  17,  23,  24,  25,
                             31, 32, 33, 47, 48, 49, 63, 64, 65, 95, 97, 127, 128, 129, 130, 255, 257, 511, 512, 513};
  constexpr Index kFew[] = {1, 3, 4, 5, 8, 9, 15, 16, 17, 33, 65, 129};
  std::vector<Index> sizes;
  for (Index size : small_sizes() ? std::span<const Index>(kFew) : std::span<const Index>(kMany))
    if (size <= largest) sizes.push_back(size);
  return sizes;
}

}  // namespace quire::test
