// SPDX-License-Identifier: Apache-2.0
//
// The section `added_tokens`: words that are cut out of the text before the model sees it. Those with
// `normalized: false` are looked for in the original text, the others, themselves normalised, in the normalised text.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenize/byte_trie.h"
#include "tokenize/json_node.h"
#include "tokenize/normalized_text.h"
#include "tokenize/normalizer.h"
#include "tokenize/vocabulary.h"

namespace quire::tokenize {

struct AddedToken {
  TokenId id = 0;
  std::string content;
  bool single_word = false;  // only where neither neighbour is a word character
  bool lstrip = false;       // takes all white space before it
  bool rstrip = false;       // takes all white space behind it
  bool normalized = false;
  bool special = false;
};

// A stretch of text: an added token, or text between two.
struct Piece {
  Range range;
  const AddedToken* token = nullptr;  // null: text
};

// Finds a set of added tokens: the first in the text, of those that begin there the longest; no two overlap.
class AddedTokenFinder {
 public:
  // false: the pattern is there already. `token` indexes the list given to `split`.
  bool add(std::string_view pattern, std::int32_t token);
  bool has_room() const { return !full_; }

  // Covers `text` with pieces, none empty. `match_special`: false leaves special tokens as text.
  void split(std::string_view text, const std::vector<AddedToken>& tokens, bool match_special,
             std::vector<Piece>& pieces) const;

 private:
  ByteTrie trie_;
  bool begins_[256] = {};  // bytes that begin a pattern
  bool empty_ = true, full_ = false;
};

class AddedTokens {
 public:
  // As Hugging Face does, the ids in the file are not obeyed: a content that is in `vocabulary` has its id there, any
  // other the next one from the number of words on.
  static Result<AddedTokens> read(const JsonNode& root, const Vocabulary& vocabulary, const Normalizer& normalizer);

  void split_original(std::string_view text, bool match_special, std::vector<Piece>& pieces) const {
    original_.split(text, tokens_, match_special, pieces);
  }
  void split_normalized(std::string_view text, bool match_special, std::vector<Piece>& pieces) const {
    normalized_.split(text, tokens_, match_special, pieces);
  }

  Index size() const { return static_cast<Index>(tokens_.size()); }
  Index id_end() const;
  const AddedToken* find(TokenId id) const;
  std::optional<TokenId> id(std::string_view content) const;

 private:
  Status build(const JsonNode& section, const Normalizer& normalizer);

  std::vector<AddedToken> tokens_;  // by id
  std::map<std::string, TokenId, std::less<>> ids_;
  AddedTokenFinder original_, normalized_;
};

}  // namespace quire::tokenize
