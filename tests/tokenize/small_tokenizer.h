// SPDX-License-Identifier: Apache-2.0
//
// Small tokenizers, and encodings in a form that tests can compare.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/tokenize/tokenizer_json.h"
#include "tokenize/tokenizer.h"

namespace quire::tokenize {

// For gtest's messages.
inline void PrintTo(const ByteSpan& span, std::ostream* out) { *out << '[' << span.begin << ',' << span.end << ']'; }

}  // namespace quire::tokenize

namespace quire::test {

inline Result<tokenize::Tokenizer> parse(const std::string& json) {
  return tokenize::Tokenizer::parse(json, "tokenizer.json");
}

// The small tokenizer, one section of it changed.
inline tokenize::Tokenizer small_tokenizer(std::string_view section = "", std::string_view value = "") {
  Result<tokenize::Tokenizer> tokenizer = parse(object_with(kTokenizer, section, value));
  if (!tokenizer.ok()) throw std::runtime_error(tokenizer.status().message());
  return std::move(tokenizer).value();
}

inline tokenize::Encoding encoded(const tokenize::Tokenizer& tokenizer, std::string_view text,
                                  const tokenize::EncodeOptions& options = {}) {
  tokenize::Encoding out;
  const Status status = tokenizer.encode(text, options, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

inline tokenize::Encoding encoded_pair(const tokenize::Tokenizer& tokenizer, std::string_view first,
                                       std::string_view second, const tokenize::EncodeOptions& options = {}) {
  tokenize::Encoding out;
  const Status status = tokenizer.encode_pair(first, second, options, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

// The tokens of the text alone, with their spans: "hel[0,3] ##lo[3,5]".
inline std::string shown(const tokenize::Tokenizer& tokenizer, std::string_view text,
                         tokenize::EncodeOptions options = {.add_special_tokens = false}) {
  const tokenize::Encoding encoding = encoded(tokenizer, text, options);
  std::string out;
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    if (i > 0) out += ' ';
    out += tokenizer.token(encoding.ids[i]).value_or("?");
    out += '[' + std::to_string(encoding.offsets[i].begin) + ',' + std::to_string(encoding.offsets[i].end) + ']';
  }
  return out;
}

}  // namespace quire::test
