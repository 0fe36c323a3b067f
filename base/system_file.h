// SPDX-License-Identifier: Apache-2.0
//
// Small text files of /proc and /sys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quire {

// The whole file, or nothing if it can't be read or is larger than any such file should be.
std::optional<std::string> read_system_file(const std::string& path);

// The pieces between `separator`s; empty pieces are dropped.
std::vector<std::string_view> split(std::string_view text, char separator);

// A whole decimal number, nothing before or behind it but blanks and line ends.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace quire
