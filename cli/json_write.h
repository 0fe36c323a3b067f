// SPDX-License-Identifier: Apache-2.0
//
// JSON out, appended to a string. Small on purpose: numbers, strings, and the separators between them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace quire::cli {

// Quoted and escaped; bytes above ASCII stay as they are.
void append_json_string(std::string& out, std::string_view text);

void append_json_int(std::string& out, std::int64_t value);

// Finite numbers only. The shortest spelling that reads back to the same bits, as float or as double.
void append_json_float(std::string& out, float value);

template <class T, class Append>
void append_json_list(std::string& out, std::span<const T> values, Append append) {
  out += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i) out += ',';
    append(out, values[i]);
  }
  out += ']';
}

}  // namespace quire::cli
