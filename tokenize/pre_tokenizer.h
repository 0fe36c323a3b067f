// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "tokenize/json_node.h"
#include "tokenize/normalized_text.h"

namespace quire::tokenize {

// Splits normalised text into the words that the model sees one by one. Kinds that also rewrite text (Metaspace,
// ByteLevel) append the rewritten words to `text` and name those.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Appends the words of `text`[range], none empty, in order.
  virtual void split(NormalizedText& text, Range range, std::vector<Range>& words) const = 0;
  virtual std::string describe() const = 0;
};

// The section `pre_tokenizer` of tokenizer.json; an unknown kind is refused by name.
Result<std::unique_ptr<PreTokenizer>> read_pre_tokenizer(const JsonNode& root);

}  // namespace quire::tokenize
