// SPDX-License-Identifier: Apache-2.0
#include "tokenize/post_processor.h"

#include <limits>
#include <map>

#include "tokenize/vocabulary.h"

namespace quire::tokenize {
namespace {

using SpecialTokens = std::map<std::string_view, std::vector<TokenId>>;

// Of names, of ids of one name, and of tokens that one template adds: their products must not fill the memory. Real
// templates add up to some ten.
constexpr Index kSpecialTokens = 1000;

Status check_count(const JsonNode& node, std::size_t count, std::string_view what) {
  if (static_cast<Index>(count) <= kSpecialTokens) return {};
  return node.refuse("has " + std::to_string(count) + std::string(what) + ", at most " +
                     std::to_string(kSpecialTokens) + " are allowed");
}

Result<TokenId> read_id(const JsonNode& node) {
  QUIRE_ASSIGN_OR_RETURN(const Index id, node.integer(0, kHighestId));
  return static_cast<TokenId>(id);
}

Result<SpecialTokens> read_special_tokens(const JsonNode& section) {
  SpecialTokens tokens;
  QUIRE_ASSIGN_OR_RETURN(const JsonNode all, section.member("special_tokens"));
  QUIRE_RETURN_IF_ERROR(all.check_keys());
  QUIRE_ASSIGN_OR_RETURN(const simdjson::dom::object members, all.object());
  QUIRE_RETURN_IF_ERROR(check_count(all, members.size(), " members"));
  for (const auto& [name, value] : members) {
    QUIRE_ASSIGN_OR_RETURN(const JsonNode token, all.member(name));
    QUIRE_ASSIGN_OR_RETURN(const JsonNode ids, token.member("ids"));
    QUIRE_ASSIGN_OR_RETURN(const std::vector<JsonNode> items, ids.items());
    QUIRE_RETURN_IF_ERROR(check_count(ids, items.size(), " elements"));
    for (const JsonNode& item : items) {
      QUIRE_ASSIGN_OR_RETURN(const TokenId id, read_id(item));
      tokens[name].push_back(id);
    }
    if (items.empty()) return ids.corrupt("is empty");
  }
  return tokens;
}

Result<TemplatePiece> read_piece(const JsonNode& node, const SpecialTokens& special_tokens) {
  QUIRE_ASSIGN_OR_RETURN(const simdjson::dom::object members, node.object());
  if (members.size() != 1) return node.corrupt("must have one member, Sequence or SpecialToken");
  const bool is_sequence = node.find("Sequence").has_value();
  QUIRE_ASSIGN_OR_RETURN(const JsonNode body, node.member(is_sequence ? "Sequence" : "SpecialToken"));
  QUIRE_RETURN_IF_ERROR(body.check_keys());
  QUIRE_ASSIGN_OR_RETURN(const std::string_view id, body.string("id"));
  QUIRE_ASSIGN_OR_RETURN(const JsonNode type_node, body.member("type_id"));
  QUIRE_ASSIGN_OR_RETURN(const Index type_id, type_node.integer(0, std::numeric_limits<std::int32_t>::max()));
  TemplatePiece piece;
  piece.type_id = static_cast<std::int32_t>(type_id);
  if (is_sequence) {
    if (id != "A" && id != "B") return body.corrupt("id is " + in_quotes(id) + ", must be \"A\" or \"B\"");
    piece.sequence = id == "A" ? 0 : 1;
    return piece;
  }
  const auto found = special_tokens.find(id);
  if (found == special_tokens.end()) return body.corrupt("id " + in_quotes(id) + " is not in special_tokens");
  piece.ids = found->second;
  return piece;
}

Result<Template> read_template(const JsonNode& section, std::string_view key, const SpecialTokens& special_tokens) {
  QUIRE_ASSIGN_OR_RETURN(const JsonNode node, section.member(key));
  QUIRE_ASSIGN_OR_RETURN(const std::vector<JsonNode> items, node.items());
  Template pieces;
  int uses[2] = {};
  std::size_t added = 0;
  for (const JsonNode& item : items) {
    QUIRE_ASSIGN_OR_RETURN(TemplatePiece piece, read_piece(item, special_tokens));
    if (piece.sequence >= 0) ++uses[piece.sequence];
    added += piece.ids.size();
    QUIRE_RETURN_IF_ERROR(check_count(node, added, " special tokens"));
    pieces.push_back(std::move(piece));
  }
  const int wanted_b = key == "pair" ? 1 : 0;
  if (uses[0] == 1 && uses[1] == wanted_b) return pieces;
  return node.refuse("names sequence A " + std::to_string(uses[0]) + " and B " + std::to_string(uses[1]) +
                     " times, must name A once and B " + (wanted_b == 1 ? "once" : "never"));
}

Result<PostProcessor> read_template_processing(const JsonNode& section) {
  PostProcessor processor{.name = "TemplateProcessing", .single = {}, .pair = {}};
  QUIRE_ASSIGN_OR_RETURN(const SpecialTokens special_tokens, read_special_tokens(section));
  QUIRE_ASSIGN_OR_RETURN(processor.single, read_template(section, "single", special_tokens));
  QUIRE_ASSIGN_OR_RETURN(processor.pair, read_template(section, "pair", special_tokens));
  return processor;
}

TemplatePiece sequence_piece(int sequence) { return {.sequence = sequence, .type_id = sequence, .ids = {}}; }

// {"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}
Result<TemplatePiece> read_bert_token(const JsonNode& section, std::string_view key, std::int32_t type_id) {
  QUIRE_ASSIGN_OR_RETURN(const JsonNode node, section.member(key));
  QUIRE_ASSIGN_OR_RETURN(const std::vector<JsonNode> items, node.items());
  if (items.size() != 2) return node.corrupt("must be [token, id]");
  QUIRE_RETURN_IF_ERROR(items[0].string());
  QUIRE_ASSIGN_OR_RETURN(const TokenId id, read_id(items[1]));
  return TemplatePiece{.sequence = -1, .type_id = type_id, .ids = {id}};
}

Result<PostProcessor> read_bert_processing(const JsonNode& section) {
  QUIRE_ASSIGN_OR_RETURN(const TemplatePiece cls, read_bert_token(section, "cls", 0));
  QUIRE_ASSIGN_OR_RETURN(const TemplatePiece sep, read_bert_token(section, "sep", 0));
  TemplatePiece last = sep;
  last.type_id = 1;
  return PostProcessor{.name = "BertProcessing",
                       .single = {cls, sequence_piece(0), sep},
                       .pair = {cls, sequence_piece(0), sep, sequence_piece(1), last}};
}

}  // namespace

Index PostProcessor::special_tokens(bool is_pair) const {
  Index count = 0;
  for (const TemplatePiece& piece : of(is_pair)) count += static_cast<Index>(piece.ids.size());
  return count;
}

std::vector<TokenId> PostProcessor::special_ids() const {
  std::vector<TokenId> all;
  for (const Template* pieces : {&single, &pair})
    for (const TemplatePiece& piece : *pieces) all.insert(all.end(), piece.ids.begin(), piece.ids.end());
  return all;
}

void PostProcessor::assemble(const std::vector<Token> (&texts)[2], const Index (&keep)[2], bool is_pair,
                             bool add_special_tokens, Encoding& out) const {
  const auto put = [&out](const Token& token, std::int32_t type_id, int sequence) {
    out.ids.push_back(token.id);
    out.type_ids.push_back(type_id);
    out.offsets.push_back(token.span);
    out.sequence_ids.push_back(static_cast<std::int8_t>(sequence));
    out.special.push_back(static_cast<std::uint8_t>(sequence < 0));
  };
  for (const TemplatePiece& piece : of(is_pair)) {
    if (piece.sequence < 0 && !add_special_tokens) continue;
    for (const TokenId id : piece.ids) put({id, {}}, piece.type_id, -1);
    if (piece.sequence < 0) continue;
    const auto& tokens = texts[piece.sequence];
    for (Index i = 0; i < keep[piece.sequence]; ++i)
      put(tokens[static_cast<std::size_t>(i)], piece.type_id, piece.sequence);
  }
}

Result<PostProcessor> read_post_processor(const JsonNode& root) {
  const std::optional<JsonNode> section = root.find("post_processor");
  if (!section)
    return PostProcessor{
        .name = "no post-processor", .single = {sequence_piece(0)}, .pair = {sequence_piece(0), sequence_piece(1)}};
  QUIRE_RETURN_IF_ERROR(section->check_keys());
  QUIRE_ASSIGN_OR_RETURN(const std::string_view type, section->string("type"));
  if (type == "TemplateProcessing") return read_template_processing(*section);
  if (type == "BertProcessing") return read_bert_processing(*section);
  return section->refuse("type " + in_quotes(type) + " is not supported; TemplateProcessing and BertProcessing are");
}

}  // namespace quire::tokenize
