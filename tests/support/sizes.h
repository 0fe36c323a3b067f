// SPDX-License-Identifier: Apache-2.0
//
// Sizes at which vector code goes wrong.
#pragma once

#include <cstdlib>
#include <set>
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

// Around the edges of every vector width (4, 8, 16 lanes) and of the unrolled loops over them, and some primes.
inline std::vector<Index> edge_sizes(Index smallest = 0) {
  std::set<Index> sizes{0, 1};
  for (Index w : many_or_few(std::vector<Index>{4, 8, 16, 32, 64, 128}, std::vector<Index>{16, 32}))
    for (Index edge : {w, 2 * w, 3 * w})
      for (Index size : {edge - 1, edge, edge + 1}) sizes.insert(size);
  if (!small_sizes()) sizes.insert({2, 5, 11, 13, 19, 23, 29, 37, 41, 43, 53, 71, 101, 211, 311});
  std::vector<Index> found;
  for (Index size : sizes)
    if (size >= smallest) found.push_back(size);
  return found;
}

}  // namespace quire::test
