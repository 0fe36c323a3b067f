// SPDX-License-Identifier: Apache-2.0
//
// Text to token ids, as tokenizer.json says. The pipeline: added tokens -> normaliser -> pre-tokeniser -> model ->
// post-processor. Truncation and padding stored in the file are not applied: truncation is the caller's explicit
// choice, and nothing inside Quire is padded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace quire::tokenize {

// Byte span [begin, end) in the original text. Special tokens that stand for no text have {0, 0}.
struct ByteSpan {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const ByteSpan&) const = default;
};

// Arrays of equal length, one element per token.
struct Encoding {
  std::vector<TokenId> ids;
  std::vector<std::int32_t> type_ids;     // 0 for the first text, as the template says for the second
  std::vector<ByteSpan> offsets;          // into the text that sequence_ids names
  std::vector<std::int8_t> sequence_ids;  // 0, 1; -1 for special tokens
  std::vector<std::uint8_t> special;      // 1: put there by the post-processor
  void clear();
};

struct EncodeOptions {
  bool add_special_tokens = true;
  Index max_tokens = 0;  // 0: no limit. Counts special tokens, which are always kept
  bool truncate =
      false;  // beyond max_tokens: cut on the right (pairs: longest first, as Hugging Face does); else an error
  // "[SEP]" in the text becomes the real token, as Hugging Face does. false: special tokens in texts are plain text.
  bool match_special_tokens = true;
};

// Immutable; const calls are thread-safe.
class Tokenizer {
 public:
  static Result<Tokenizer> open(const std::filesystem::path& folder);  // reads folder/tokenizer.json
  static Result<Tokenizer> parse(std::string_view json, const std::string& source);
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Invalid UTF-8: invalid_argument with the byte index. Too many tokens without truncate: too_long with both numbers.
  // `truncated`, where given, says whether tokens were cut. `out` is cleared first and its capacity is kept.
  Status encode(std::string_view text, const EncodeOptions& options, Encoding& out, bool* truncated = nullptr) const;
  Status encode_pair(std::string_view first, std::string_view second, const EncodeOptions& options, Encoding& out,
                     bool* truncated = nullptr) const;

  Index vocabulary_size() const;                            // highest id + 1, added tokens included
  std::optional<std::string_view> token(TokenId id) const;  // the vocabulary's spelling ("##ing"), not decoded
  std::optional<TokenId> id(std::string_view token) const;
  Index special_tokens_added(bool pair) const;  // how many tokens the post-processor adds
  std::string describe() const;                 // "WordPiece, 30522 words, BertNormalizer, BertPreTokenizer, ..."

 private:
  struct State;
  explicit Tokenizer(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace quire::tokenize
