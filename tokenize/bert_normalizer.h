// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tokenize/normalizer.h"

namespace quire::tokenize {

struct BertNormalizerOptions {
  bool clean_text = true;            // drop control characters, make every white space a blank
  bool handle_chinese_chars = true;  // blanks round CJK ideographs
  bool strip_accents = true;         // decompose (NFD), drop nonspacing marks
  bool lowercase = true;
};

// As Hugging Face's tokenizers/src/normalizers/bert.rs, with its quirks: see tokenize/unicode.h.
class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(const BertNormalizerOptions& options) : options_(options) {}
  void normalize(std::string_view original, Range range, NormalizedText& out) const override;
  std::string describe() const override;

 private:
  BertNormalizerOptions options_;
};

Result<std::unique_ptr<Normalizer>> read_bert_normalizer(const JsonNode& section);

}  // namespace quire::tokenize
