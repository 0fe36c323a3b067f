// SPDX-License-Identifier: Apache-2.0
#include "loader/file_kind.h"

#include <algorithm>
#include <string_view>

namespace quire::loader {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view prefix;
  std::string_view text;
};

// git-lfs docs/spec.md; .ZIP APPNOTE 4.3.7 (torch.save since 1.6); pickle PROTO opcode with protocols 2 to 5
// (torch.save before); GGUF, HDF5 and NumPy magic numbers; RFC 1952.
constexpr Signature kSignatures[] = {
    {"version https://git-lfs"sv, "it is a Git LFS pointer, not the file itself; run `git lfs pull`"sv},
    {"PK\x03\x04"sv, "it looks like a zip archive (a PyTorch checkpoint?); convert it to safetensors"sv},
    {"\x80\x02"sv, "it looks like a Python pickle (a PyTorch checkpoint?); convert it to safetensors"sv},
    {"\x80\x03"sv, "it looks like a Python pickle (a PyTorch checkpoint?); convert it to safetensors"sv},
    {"\x80\x04"sv, "it looks like a Python pickle (a PyTorch checkpoint?); convert it to safetensors"sv},
    {"\x80\x05"sv, "it looks like a Python pickle (a PyTorch checkpoint?); convert it to safetensors"sv},
    {"GGUF"sv, "it looks like a GGUF file"sv},
    {"\x89HDF\r\n\x1a\n"sv, "it looks like an HDF5 file (a Keras checkpoint?)"sv},
    {"\x93NUMPY"sv, "it looks like a NumPy array"sv},
    {"\x1f\x8b"sv, "it looks like a gzip file; unpack it"sv},
    {"<!doctype"sv, "it looks like an HTML page; a download that failed?"sv},
    {"<html"sv, "it looks like an HTML page; a download that failed?"sv},
    {"{"sv, "it looks like JSON"sv},
};

constexpr std::size_t kLongestPrefix = 24;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::string foreign_file_text(std::span<const std::byte> file) {
  const std::string_view head(reinterpret_cast<const char*>(file.data()), std::min(file.size(), kLongestPrefix));
  for (const Signature& signature : kSignatures)
    if (starts_with(head, signature.prefix)) return std::string(signature.text);
  return {};
}

}  // namespace quire::loader
