// SPDX-License-Identifier: Apache-2.0
#include "tokenize/vocabulary.h"

#include <algorithm>

namespace quire::tokenize {

Result<Vocabulary> Vocabulary::read(const JsonNode& object) {
  QUIRE_ASSIGN_OR_RETURN(const simdjson::dom::object members, object.object());
  Vocabulary vocabulary;
  for (const auto& [word, value] : members) {
    std::int64_t id = 0;
    if (value.get_int64().get(id) != simdjson::SUCCESS || id < 0 || id > kHighestId)
      return object.corrupt("the id of " + in_quotes(word) + " must be an integer from 0 to " +
                            std::to_string(kHighestId));
    if (static_cast<Index>(word.size()) > kWordBytes)
      return object.refuse("the word " + in_quotes(word) + " has " + std::to_string(word.size()) + " bytes, at most " +
                           std::to_string(kWordBytes) + " are allowed");
    if (vocabulary.trie_.find(word) != ByteTrie::kNoValue)
      return object.corrupt("the word " + in_quotes(word) + " stands twice");
    if (!vocabulary.trie_.insert(word, static_cast<TokenId>(id)))
      return object.refuse("has too many different words: its trie would need more than " +
                           std::to_string(ByteTrie::kNodes) + " nodes");
    vocabulary.entries_.push_back({static_cast<TokenId>(id), static_cast<std::uint32_t>(vocabulary.characters_.size()),
                                   static_cast<std::uint32_t>(word.size())});
    vocabulary.characters_ += word;
  }
  auto& entries = vocabulary.entries_;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
  const auto twice =
      std::adjacent_find(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id == b.id; });
  if (twice == entries.end()) return vocabulary;
  return object.corrupt("the id " + std::to_string(twice->id) + " belongs to two words, " +
                        in_quotes(vocabulary.spelling(twice[0])) + " and " + in_quotes(vocabulary.spelling(twice[1])));
}

std::optional<std::string_view> Vocabulary::word(TokenId id) const {
  if (id < 0) return std::nullopt;
  // Without gaps below `id`, the entry stands at its own id.
  if (id < size() && entries_[static_cast<std::size_t>(id)].id == id)
    return spelling(entries_[static_cast<std::size_t>(id)]);
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), id,
                                      [](const Entry& entry, TokenId wanted) { return entry.id < wanted; });
  if (found == entries_.end() || found->id != id) return std::nullopt;
  return spelling(*found);
}

std::optional<TokenId> Vocabulary::id(std::string_view word) const {
  const std::int32_t found = trie_.find(word);
  if (found == ByteTrie::kNoValue) return std::nullopt;
  return found;
}

}  // namespace quire::tokenize
