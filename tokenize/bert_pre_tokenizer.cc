// SPDX-License-Identifier: Apache-2.0
#include "tokenize/bert_pre_tokenizer.h"

#include <array>

#include "tokenize/unicode.h"
#include "tokenize/utf8.h"

namespace quire::tokenize {
namespace {

// 0: part of a word; else kWhiteSpace, kPunctuation or kOther for bytes that don't tell by themselves.
constexpr std::uint8_t kOther = 0xFF;
constexpr std::array<std::uint8_t, 256> kByteClass = [] {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t byte = 0; byte < classes.size(); ++byte) {
    const bool letter = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
    if (byte >= 0x80)
      classes[byte] = kOther;
    else if (byte == ' ' || (byte >= '\t' && byte <= '\r'))
      classes[byte] = kWhiteSpace;
    else if (byte > ' ' && byte < 0x7F && !letter)
      classes[byte] = kPunctuation;
  }
  return classes;
}();

}  // namespace

void BertPreTokenizer::split(NormalizedText& normalized, Range range, std::vector<Range>& words) const {
  const std::string_view text = normalized.text;
  std::size_t word = range.begin;
  for (std::size_t at = range.begin; at < range.end;) {
    const std::size_t begin = at;
    std::uint8_t kind = kByteClass[static_cast<unsigned char>(text[at])];
    if (kind == 0) {
      ++at;
      continue;
    }
    if (kind == kOther)
      kind = character_flags(next_code_point(text, at));
    else
      ++at;
    if (!(kind & (kWhiteSpace | kPunctuation))) continue;
    if (word < begin) words.push_back({word, begin});
    if (kind & kPunctuation) words.push_back({begin, at});
    word = at;
  }
  if (word < range.end) words.push_back({word, range.end});
}

}  // namespace quire::tokenize
