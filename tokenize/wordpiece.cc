// SPDX-License-Identifier: Apache-2.0
#include "tokenize/wordpiece.h"

#include <limits>

#include "tokenize/utf8.h"

namespace quire::tokenize {

WordPiece::WordPiece(Vocabulary vocabulary, TokenId unknown, std::string_view continuing_prefix, Index max_input_chars)
    : Model(std::move(vocabulary)),
      unknown_(unknown),
      continuation_(this->vocabulary().trie().walk(continuing_prefix)),
      max_input_chars_(max_input_chars) {
  can_continue_ = continuing_prefix.empty() || continuation_ != ByteTrie::kNone;
}

void WordPiece::tokenize(std::string_view word, std::vector<WordToken>& tokens) const {
  const ByteTrie& trie = vocabulary().trie();
  const std::size_t old = tokens.size();
  bool known = static_cast<Index>(word.size()) <= max_input_chars_ || count_code_points(word) <= max_input_chars_;
  for (std::size_t at = 0; known && at < word.size();) {
    if (at > 0 && !can_continue_) {
      known = false;
      break;
    }
    const ByteTrie::Match match = trie.longest(word, at, at == 0 ? ByteTrie::kRoot : continuation_);
    known = match.value != ByteTrie::kNoValue;
    tokens.push_back({match.value, at, match.end});
    at = match.end;
  }
  if (known) return;
  tokens.resize(old);
  tokens.push_back({unknown_, 0, word.size()});
}

std::string WordPiece::describe() const { return "WordPiece, " + std::to_string(vocabulary().size()) + " words"; }

Result<std::unique_ptr<Model>> read_wordpiece(const JsonNode& section) {
  QUIRE_ASSIGN_OR_RETURN(const std::string_view unknown, section.string("unk_token"));
  QUIRE_ASSIGN_OR_RETURN(const std::string_view prefix, section.string("continuing_subword_prefix"));
  QUIRE_ASSIGN_OR_RETURN(const JsonNode limit, section.member("max_input_chars_per_word"));
  QUIRE_ASSIGN_OR_RETURN(const Index max_chars, limit.integer(0, std::numeric_limits<Index>::max()));
  QUIRE_ASSIGN_OR_RETURN(const JsonNode words, section.member("vocab"));
  QUIRE_ASSIGN_OR_RETURN(Vocabulary vocabulary, Vocabulary::read(words));
  const std::optional<TokenId> unknown_id = vocabulary.id(unknown);
  if (!unknown_id) return section.corrupt("unk_token " + in_quotes(unknown) + " is not in vocab");
  return std::unique_ptr<Model>(std::make_unique<WordPiece>(std::move(vocabulary), *unknown_id, prefix, max_chars));
}

}  // namespace quire::tokenize
