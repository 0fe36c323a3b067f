// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenize/json_node.h"
#include "tokenize/vocabulary.h"

namespace quire::tokenize {

// A token of one word; the span is in bytes of the word.
struct WordToken {
  TokenId id = 0;
  std::size_t begin = 0, end = 0;
};

// Turns words into tokens of its vocabulary.
class Model {
 public:
  explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~Model() = default;
  // Appends the tokens of `word`, which is not empty.
  virtual void tokenize(std::string_view word, std::vector<WordToken>& tokens) const = 0;
  virtual std::string describe() const = 0;
  const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  Vocabulary vocabulary_;
};

// The section `model` of tokenizer.json; an unknown kind is refused by name. Files from before the key `type` existed
// are recognised by their other keys.
Result<std::unique_ptr<Model>> read_model(const JsonNode& root);

}  // namespace quire::tokenize
