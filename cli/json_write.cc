// SPDX-License-Identifier: Apache-2.0
#include "cli/json_write.h"

#include <charconv>

namespace quire::cli {

void append_json_string(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out.append({'\\', c});
    else if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      out.append("\\u00").append({kHex[byte >> 4], kHex[byte & 15]});
    else
      out += c;
  }
  out += '"';
}

void append_json_int(std::string& out, std::int64_t value) { out += std::to_string(value); }

void append_json_float(std::string& out, float value) {
  char text[40];
  char* end = std::to_chars(text, text + sizeof(text), value).ptr;
  // Most JSON readers make a double of it first. Where that second rounding would end at another float, the double's
  // own shortest spelling is the one that is safe both ways.
  double read = 0;
  std::from_chars(text, end, read);
  if (static_cast<float>(read) != value) end = std::to_chars(text, text + sizeof(text), static_cast<double>(value)).ptr;
  out.append(text, end);
}

}  // namespace quire::cli
