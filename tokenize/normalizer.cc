// SPDX-License-Identifier: Apache-2.0
#include "tokenize/normalizer.h"

#include "tokenize/bert_normalizer.h"
#include "tokenize/utf8.h"

namespace quire::tokenize {
namespace {

// `normalizer` is null.
class Identity final : public Normalizer {
 public:
  void normalize(std::string_view original, Range range, NormalizedText& out) const override {
    out.text.append(original.substr(range.begin, range.end - range.begin));
    for (std::size_t at = range.begin; at < range.end;) {
      const std::size_t begin = at;
      next_code_point(original, at);
      out.origin.insert(out.origin.end(), at - begin,
                        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
    }
  }
  std::string describe() const override { return "no normaliser"; }
};

}  // namespace

Result<std::unique_ptr<Normalizer>> read_normalizer(const JsonNode& root) {
  const std::optional<JsonNode> section = root.find("normalizer");
  if (!section) return std::unique_ptr<Normalizer>(std::make_unique<Identity>());
  QUIRE_RETURN_IF_ERROR(section->check_keys());
  QUIRE_ASSIGN_OR_RETURN(const std::string_view type, section->string("type"));
  if (type == "BertNormalizer") return read_bert_normalizer(*section);
  return section->refuse("type " + in_quotes(type) + " is not supported; BertNormalizer is");
}

}  // namespace quire::tokenize
