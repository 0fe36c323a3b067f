// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "tokenize/json_node.h"
#include "tokenize/normalized_text.h"

namespace quire::tokenize {

// Rewrites text before it is split.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  // Appends the normalised form of `original`[range] to `out`.
  virtual void normalize(std::string_view original, Range range, NormalizedText& out) const = 0;
  virtual std::string describe() const = 0;
};

// The section `normalizer` of tokenizer.json; an unknown kind is refused by name.
Result<std::unique_ptr<Normalizer>> read_normalizer(const JsonNode& root);

}  // namespace quire::tokenize
