// SPDX-License-Identifier: Apache-2.0
#include "tokenize/model.h"

#include "tokenize/wordpiece.h"

namespace quire::tokenize {
namespace {

// The order in which Hugging Face tries the kinds where `type` is absent.
std::string_view guess_type(const JsonNode& section) {
  if (section.find("merges")) return "BPE";
  if (section.find("max_input_chars_per_word")) return "WordPiece";
  const std::optional<JsonNode> vocabulary = section.find("vocab");
  return vocabulary && vocabulary->is_array() ? "Unigram" : "WordLevel";
}

}  // namespace

Result<std::unique_ptr<Model>> read_model(const JsonNode& root) {
  QUIRE_ASSIGN_OR_RETURN(const JsonNode section, root.member("model"));
  QUIRE_RETURN_IF_ERROR(section.check_keys());
  std::string_view type = guess_type(section);
  const bool named = section.find("type").has_value();
  if (named) {
    QUIRE_ASSIGN_OR_RETURN(type, section.string("type"));
  }
  if (type == "WordPiece") return read_wordpiece(section);
  return section.refuse("type " + in_quotes(type) + (named ? "" : " (not named, but so it looks)") +
                        " is not supported; WordPiece is");
}

}  // namespace quire::tokenize
