// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tokenize/pre_tokenizer.h"

namespace quire::tokenize {

// Splits at white space, which is dropped, and round every punctuation character, which is a word of its own.
class BertPreTokenizer final : public PreTokenizer {
 public:
  void split(NormalizedText& text, Range range, std::vector<Range>& words) const override;
  std::string describe() const override { return "BertPreTokenizer"; }
};

}  // namespace quire::tokenize
