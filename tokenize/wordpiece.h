// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tokenize/model.h"

namespace quire::tokenize {

// Longest match first, from left to right; pieces within a word are looked up behind `continuing_subword_prefix`. A
// word with a stretch that no piece matches, or of more than `max_input_chars_per_word` code points, is one unknown
// token.
class WordPiece final : public Model {
 public:
  WordPiece(Vocabulary vocabulary, TokenId unknown, std::string_view continuing_prefix, Index max_input_chars);
  void tokenize(std::string_view word, std::vector<WordToken>& tokens) const override;
  std::string describe() const override;

 private:
  TokenId unknown_;
  bool can_continue_;            // some word has the prefix
  ByteTrie::Node continuation_;  // where the prefix leads
  Index max_input_chars_;
};

Result<std::unique_ptr<Model>> read_wordpiece(const JsonNode& section);

}  // namespace quire::tokenize
