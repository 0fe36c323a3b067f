// SPDX-License-Identifier: Apache-2.0
#include "tokenize/added_tokens.h"

#include <algorithm>

#include "tokenize/unicode.h"
#include "tokenize/utf8.h"

namespace quire::tokenize {
namespace {

bool stands_alone(std::string_view text, Range range) {
  if (range.begin > 0 && is_word_character(previous_code_point(text, range.begin))) return false;
  std::size_t at = range.end;
  return at == text.size() || !is_word_character(next_code_point(text, at));
}

// Where the white space before `end` begins, not before `limit`.
std::size_t white_space_before(std::string_view text, std::size_t end, std::size_t limit) {
  while (end > limit) {
    const char32_t code_point = previous_code_point(text, end);
    if (!is_white_space(code_point)) break;
    char bytes[4];
    end -= static_cast<std::size_t>(write_code_point(code_point, bytes));
  }
  return end;
}

std::size_t white_space_behind(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin; at < text.size(); begin = at)
    if (!is_white_space(next_code_point(text, at))) break;
  return begin;
}

Result<AddedToken> read_token(const JsonNode& node) {
  QUIRE_RETURN_IF_ERROR(node.check_keys());
  AddedToken token;
  QUIRE_ASSIGN_OR_RETURN(const std::string_view content, node.string("content"));
  if (static_cast<Index>(content.size()) > kWordBytes)
    return node.refuse("content has " + std::to_string(content.size()) + " bytes, at most " +
                       std::to_string(kWordBytes) + " are allowed");
  token.content = content;
  QUIRE_ASSIGN_OR_RETURN(const JsonNode id, node.member("id"));
  QUIRE_RETURN_IF_ERROR(id.integer(0, kHighestId));
  QUIRE_ASSIGN_OR_RETURN(token.single_word, node.boolean("single_word"));
  QUIRE_ASSIGN_OR_RETURN(token.lstrip, node.boolean("lstrip"));
  QUIRE_ASSIGN_OR_RETURN(token.rstrip, node.boolean("rstrip"));
  QUIRE_ASSIGN_OR_RETURN(token.normalized, node.boolean("normalized"));
  QUIRE_ASSIGN_OR_RETURN(token.special, node.boolean("special"));
  return token;
}

}  // namespace

bool AddedTokenFinder::add(std::string_view pattern, std::int32_t token) {
  if (trie_.find(pattern) != ByteTrie::kNoValue) return false;
  full_ = !trie_.insert(pattern, token) || full_;
  begins_[static_cast<unsigned char>(pattern[0])] = true;
  empty_ = false;
  return true;
}

void AddedTokenFinder::split(std::string_view text, const std::vector<AddedToken>& tokens, bool match_special,
                             std::vector<Piece>& pieces) const {
  std::size_t done = 0;       // text before it is in `pieces`
  std::size_t space_end = 0;  // where the white space that the last rstrip went through ends
  for (std::size_t at = 0; !empty_ && at < text.size();) {
    if (!begins_[static_cast<unsigned char>(text[at])]) {
      ++at;
      continue;
    }
    const ByteTrie::Match match = trie_.longest(text, at);
    if (match.value == ByteTrie::kNoValue) {
      ++at;
      continue;
    }
    Range range{at, match.end};
    at = match.end;
    const AddedToken& token = tokens[static_cast<std::size_t>(match.value)];
    if ((token.special && !match_special) || (token.single_word && !stands_alone(text, range))) continue;
    if (token.lstrip && done < range.begin) range.begin = white_space_before(text, range.begin, done);
    if (token.rstrip) {
      // A run of white space that is itself full of such tokens must not be walked once for each of them.
      if (range.end >= space_end) space_end = white_space_behind(text, range.end);
      range.end = space_end;
    }
    if (done < range.begin) pieces.push_back({{done, range.begin}});
    pieces.push_back({range, &token});
    done = range.end;
  }
  if (done < text.size()) pieces.push_back({{done, text.size()}});
}

Result<AddedTokens> AddedTokens::read(const JsonNode& root, const Vocabulary& vocabulary,
                                      const Normalizer& normalizer) {
  AddedTokens added;
  const std::optional<JsonNode> section = root.find("added_tokens");
  if (!section) return added;
  auto next_id = static_cast<TokenId>(vocabulary.size());
  std::map<TokenId, AddedToken> by_id;  // of two with the same content the later wins, but special stays special
  QUIRE_ASSIGN_OR_RETURN(const std::vector<JsonNode> items, section->items());
  for (const JsonNode& item : items) {
    QUIRE_ASSIGN_OR_RETURN(AddedToken token, read_token(item));
    if (token.content.empty()) continue;
    const auto [known, is_new] = added.ids_.try_emplace(token.content, 0);
    if (is_new) {
      const std::optional<TokenId> in_vocabulary = vocabulary.id(token.content);
      known->second = in_vocabulary ? *in_vocabulary : next_id++;
      // Only where the vocabulary's ids have gaps: the number of words is then no free id.
      if (const auto word = vocabulary.word(known->second); word && *word != token.content)
        return item.corrupt("would get the id " + std::to_string(known->second) + ", which is the id of the word " +
                            in_quotes(*word));
    }
    token.id = known->second;
    token.special = token.special || (!is_new && by_id[token.id].special);
    by_id[token.id] = std::move(token);
  }
  for (auto& [id, token] : by_id) added.tokens_.push_back(std::move(token));
  QUIRE_RETURN_IF_ERROR(added.build(*section, normalizer));
  return added;
}

Status AddedTokens::build(const JsonNode& section, const Normalizer& normalizer) {
  NormalizedText pattern;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const AddedToken& token = tokens_[i];
    pattern.clear();
    if (token.normalized)
      normalizer.normalize(token.content, {0, token.content.size()}, pattern);
    else
      pattern.text = token.content;
    const std::string name = "token " + in_quotes(token.content);
    if (pattern.text.empty()) return section.refuse(name + " is empty once it is normalised");
    AddedTokenFinder& finder = token.normalized ? normalized_ : original_;
    if (!finder.add(pattern.text, static_cast<std::int32_t>(i)))
      return section.refuse(name + " is the same as another one once it is normalised");
    if (!finder.has_room()) return section.refuse("too many different tokens");
  }
  return {};
}

Index AddedTokens::id_end() const { return tokens_.empty() ? 0 : tokens_.back().id + 1; }

const AddedToken* AddedTokens::find(TokenId id) const {
  const auto found = std::lower_bound(tokens_.begin(), tokens_.end(), id,
                                      [](const AddedToken& token, TokenId wanted) { return token.id < wanted; });
  return found != tokens_.end() && found->id == id ? &*found : nullptr;
}

std::optional<TokenId> AddedTokens::id(std::string_view content) const {
  const auto found = ids_.find(content);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

}  // namespace quire::tokenize
