// SPDX-License-Identifier: Apache-2.0
#include "base/system_file.h"

#include <charconv>
#include <cstdio>
#include <memory>

namespace quire {
namespace {

// /proc/self/mountinfo of a host with thousands of containers stays below this.
constexpr std::size_t kLargestFile = std::size_t{16} << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::optional<std::string> read_system_file(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "re"));
  if (file == nullptr) return std::nullopt;
  // Files of /proc have no size to ask for: read until they end.
  std::string text;
  char block[4096];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, got);
    if (text.size() > kLargestFile) return std::nullopt;
  }
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    const std::string_view piece = text.substr(0, end);
    if (!piece.empty()) pieces.push_back(piece);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return pieces;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace quire
