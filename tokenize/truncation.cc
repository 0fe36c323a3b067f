// SPDX-License-Identifier: Apache-2.0
#include "tokenize/truncation.h"

#include <algorithm>

namespace quire::tokenize {

Kept longest_first(Index first, Index second, Index room) {
  if (first + second <= room) return {first, second};
  const bool first_is_longer = first > second;
  Index shorter = std::min(first, second), longer = room - shorter;
  if (longer < shorter) {
    shorter = room / 2;
    longer = room - shorter;
  }
  return first_is_longer ? Kept{longer, shorter} : Kept{shorter, longer};
}

}  // namespace quire::tokenize
