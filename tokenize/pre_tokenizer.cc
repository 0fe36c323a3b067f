// SPDX-License-Identifier: Apache-2.0
#include "tokenize/pre_tokenizer.h"

#include "tokenize/bert_pre_tokenizer.h"

namespace quire::tokenize {
namespace {

// `pre_tokenizer` is null: one word.
class Whole final : public PreTokenizer {
 public:
  void split(NormalizedText&, Range range, std::vector<Range>& words) const override { words.push_back(range); }
  std::string describe() const override { return "no pre-tokeniser"; }
};

}  // namespace

Result<std::unique_ptr<PreTokenizer>> read_pre_tokenizer(const JsonNode& root) {
  const std::optional<JsonNode> section = root.find("pre_tokenizer");
  if (!section) return std::unique_ptr<PreTokenizer>(std::make_unique<Whole>());
  QUIRE_RETURN_IF_ERROR(section->check_keys());
  QUIRE_ASSIGN_OR_RETURN(const std::string_view type, section->string("type"));
  if (type == "BertPreTokenizer") return std::unique_ptr<PreTokenizer>(std::make_unique<BertPreTokenizer>());
  return section->refuse("type " + in_quotes(type) + " is not supported; BertPreTokenizer is");
}

}  // namespace quire::tokenize
