// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tokenize/tokenizer.h"

namespace quire::tokenize {

// Text on its way through the pipeline, and where each of its bytes comes from. All bytes of one character have the
// same origin: the bytes of the original character that it stands for.
struct NormalizedText {
  std::string text;
  std::vector<ByteSpan> origin;  // per byte of `text`, into the original text

  void clear() {
    text.clear();
    origin.clear();
  }
  // The original bytes that [begin, end), not empty, stands for.
  ByteSpan source_of(std::size_t begin, std::size_t end) const { return {origin[begin].begin, origin[end - 1].end}; }
};

// A stretch of NormalizedText::text.
struct Range {
  std::size_t begin = 0, end = 0;
};

}  // namespace quire::tokenize
