// SPDX-License-Identifier: Apache-2.0
//
// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/types.h"

namespace quire::tokenize {

// Index of the first byte that starts no valid sequence; text.size() where all is valid.
std::size_t first_invalid_utf8(std::string_view text);

// invalid_argument naming byte index and value; `what` ("text", "second text") begins the message.
Status check_utf8(std::string_view text, std::string_view what);

// The code point at `at` of valid UTF-8; moves `at` behind it.
inline char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(at);
  if (lead < 0x80) {
    at += 1;
    return lead;
  }
  if (lead < 0xE0) {
    at += 2;
    return (lead & 0x1F) << 6 | (byte(at - 1) & 0x3F);
  }
  if (lead < 0xF0) {
    at += 3;
    return (lead & 0x0F) << 12 | (byte(at - 2) & 0x3F) << 6 | (byte(at - 1) & 0x3F);
  }
  at += 4;
  return (lead & 0x07) << 18 | (byte(at - 3) & 0x3F) << 12 | (byte(at - 2) & 0x3F) << 6 | (byte(at - 1) & 0x3F);
}

// The code point that ends before `end` (> 0) of valid UTF-8.
inline char32_t previous_code_point(std::string_view text, std::size_t end) {
  std::size_t at = end - 1;
  while ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return next_code_point(text, at);
}

// Writes 1 to 4 bytes; returns how many.
int write_code_point(char32_t code_point, char* out);

Index count_code_points(std::string_view text);

}  // namespace quire::tokenize
