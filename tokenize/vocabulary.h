// SPDX-License-Identifier: Apache-2.0
//
// Words and their ids, both ways. Ids may have gaps; memory follows the number of words, not the highest id.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/types.h"
#include "tokenize/byte_trie.h"
#include "tokenize/json_node.h"

namespace quire::tokenize {

inline constexpr Index kHighestId = (Index{1} << 24) - 1;
inline constexpr Index kWordBytes = 1024;  // bounds the steps of a longest match; real words have some 250 at most

class Vocabulary {
 public:
  // {"word": id, ...}. Refused: a word or an id that stands twice, ids out of range, words longer than kWordBytes.
  static Result<Vocabulary> read(const JsonNode& object);

  Index size() const { return static_cast<Index>(entries_.size()); }  // number of words
  Index id_end() const { return entries_.empty() ? 0 : entries_.back().id + 1; }
  std::optional<std::string_view> word(TokenId id) const;
  std::optional<TokenId> id(std::string_view word) const;
  const ByteTrie& trie() const { return trie_; }

 private:
  struct Entry {
    TokenId id = 0;
    std::uint32_t begin = 0, length = 0;  // in characters_
  };
  std::string_view spelling(const Entry& entry) const {
    return std::string_view(characters_).substr(entry.begin, entry.length);
  }

  std::string characters_;
  std::vector<Entry> entries_;  // by id
  ByteTrie trie_;
};

}  // namespace quire::tokenize
