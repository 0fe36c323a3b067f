// SPDX-License-Identifier: Apache-2.0
#include "tokenize/utf8.h"

#include <cstdio>
#include <cstring>

namespace quire::tokenize {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// Length of the sequence that `lead` opens, 0 for none, and the range of its second byte, which is where overlong
// forms, surrogates and values above U+10FFFF show (Unicode standard, table 3-7).
struct Form {
  std::size_t length;
  unsigned char second_low, second_high;
};

Form form_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Length of the valid sequence at `at`, 0 for none.
std::size_t valid_length(std::string_view text, std::size_t at) {
  const Form form = form_of(byte_at(text, at));
  if (form.length <= 1) return form.length;
  if (at + form.length > text.size()) return 0;
  const unsigned char second = byte_at(text, at + 1);
  if (second < form.second_low || second > form.second_high) return 0;
  for (std::size_t i = 2; i < form.length; ++i)
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  return form.length;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = kHighBits;
    if (at + sizeof eight <= text.size()) std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & kHighBits) == 0) {
      at += sizeof eight;
      continue;
    }
    const std::size_t length = valid_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

Status check_utf8(std::string_view text, std::string_view what) {
  const std::size_t at = first_invalid_utf8(text);
  if (at == text.size()) return {};
  char value[8];
  std::snprintf(value, sizeof value, "0x%02X", byte_at(text, at));
  return invalid_argument(std::string(what) + ": byte " + std::to_string(at) + " (" + value +
                          ") is not valid UTF-8; text must be UTF-8");
}

int write_code_point(char32_t code_point, char* out) {
  const auto put = [out](int i, char32_t bits) { out[i] = static_cast<char>(static_cast<unsigned char>(bits)); };
  const auto tail = [code_point](int shift) { return 0x80 | ((code_point >> shift) & 0x3F); };
  if (code_point < 0x80) {
    put(0, code_point);
    return 1;
  }
  if (code_point < 0x800) {
    put(0, 0xC0 | code_point >> 6);
    put(1, tail(0));
    return 2;
  }
  if (code_point < 0x10000) {
    put(0, 0xE0 | code_point >> 12);
    put(1, tail(6));
    put(2, tail(0));
    return 3;
  }
  put(0, 0xF0 | code_point >> 18);
  put(1, tail(12));
  put(2, tail(6));
  put(3, tail(0));
  return 4;
}

Index count_code_points(std::string_view text) {
  Index count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

}  // namespace quire::tokenize
