// SPDX-License-Identifier: Apache-2.0
#include "loader/message.h"

#include <cstddef>

namespace quire::loader {
namespace {

constexpr std::size_t kLongestQuote = 100;
constexpr std::size_t kLongestShape = 8;
constexpr char kHexDigits[] = "0123456789abcdef";

void append_escaped(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (byte < 0x20 || byte == 0x7f) {
    out += "\\x";
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
  } else {
    out += c;
  }
}

// The longest prefix of at most `limit` bytes that does not end inside a UTF-8 sequence.
std::string_view cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return text.substr(0, limit);
}

}  // namespace

std::string in_quotes(std::string_view text) {
  const std::string_view shown = cut(text, kLongestQuote);
  std::string out = "\"";
  for (char c : shown) append_escaped(out, c);
  out += shown.size() < text.size() ? "...\"" : "\"";
  return out;
}

std::string shape_text(std::span<const Index> shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size() && i < kLongestShape; ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(shape[i]);
  }
  return out + (shape.size() > kLongestShape ? ", ...]" : "]");
}

}  // namespace quire::loader
