// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.h"

namespace quire::tokenize {

// How many tokens of each text stay where at most `room` may.
struct Kept {
  Index first = 0, second = 0;
};

// Hugging Face's LongestFirst (tokenizers/src/utils/truncation.rs), which does not cut one token at a time: a shorter
// text of at most half the room stays whole, else both get half, the longer one (the second of equals) the odd token.
Kept longest_first(Index first, Index second, Index room);

}  // namespace quire::tokenize
