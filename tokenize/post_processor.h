// SPDX-License-Identifier: Apache-2.0
//
// What stands round the texts of a finished encoding. TemplateProcessing, BertProcessing and the absence of both are
// all held as templates.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "tokenize/json_node.h"
#include "tokenize/tokenizer.h"

namespace quire::tokenize {

// A token with its place in the original text.
struct Token {
  TokenId id = 0;
  ByteSpan span;
};

struct TemplatePiece {
  int sequence = -1;  // 0 or 1: that text; -1: a special token
  std::int32_t type_id = 0;
  std::vector<TokenId> ids;  // of a special token
};

using Template = std::vector<TemplatePiece>;

struct PostProcessor {
  std::string name;
  Template single, pair;  // each text exactly once

  const Template& of(bool is_pair) const { return is_pair ? pair : single; }
  Index special_tokens(bool is_pair) const;
  std::vector<TokenId> special_ids() const;  // of both templates

  // Appends the first keep[i] tokens of texts[i], with the template's special tokens round them if asked for.
  void assemble(const std::vector<Token> (&texts)[2], const Index (&keep)[2], bool is_pair, bool add_special_tokens,
                Encoding& out) const;
};

// The section `post_processor` of tokenizer.json; an unknown kind is refused by name.
Result<PostProcessor> read_post_processor(const JsonNode& root);

}  // namespace quire::tokenize
