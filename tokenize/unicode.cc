// SPDX-License-Identifier: Apache-2.0
#include "tokenize/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "tokenize/unicode_tables.h"

namespace quire::tokenize {
namespace {

// The planes with letters; beyond them stand ideographs, a few format characters and private use.
constexpr char32_t kTableEnd = 0x20000;

constexpr CodePointRange kWhiteSpaceRanges[] = {{0x9, 0xD},       {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},
                                                {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                                                {0x205F, 0x205F}, {0x3000, 0x3000}};

// 0x2B920 is Hugging Face's slip for 0x2B820. Models were trained with it.
constexpr CodePointRange kIdeographRanges[] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFAFF},
                                               {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F},
                                               {0x2B920, 0x2CEAF}, {0x2F800, 0x2FA1F}};

// Decompositions that are younger than Unicode 9.0, from whichever version utf8proc has.
constexpr CodePointRange kUndecomposedRanges[] = {{0x105C9, 0x105E4}, {0x11383, 0x11391}, {0x113C5, 0x113C8},
                                                  {0x11938, 0x11938}, {0x16121, 0x16128}, {0x16D68, 0x16D6A}};

bool contains(std::span<const CodePointRange> ranges, char32_t code_point) {
  const auto found = std::lower_bound(ranges.begin(), ranges.end(), code_point,
                                      [](const CodePointRange& range, char32_t wanted) { return range.last < wanted; });
  return found != ranges.end() && found->first <= code_point;
}

const LowerCaseRange* find_lower_case(char32_t code_point) {
  const auto ranges = lower_case_ranges();
  const auto found = std::lower_bound(ranges.begin(), ranges.end(), code_point,
                                      [](const LowerCaseRange& range, char32_t wanted) { return range.last < wanted; });
  if (found == ranges.end() || found->first > code_point || (code_point - found->first) % found->step != 0)
    return nullptr;
  return &*found;
}

constexpr char32_t kDottedCapitalI = 0x130;  // its lower case is an i and U+0307

int utf8proc_decomposition(char32_t code_point, std::span<utf8proc_int32_t, kExpansion> out) {
  int boundary = 0;
  return static_cast<int>(utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code_point), out.data(), kExpansion,
                                                  UTF8PROC_DECOMPOSE, &boundary));
}

bool decomposes(char32_t code_point) {
  if (contains(kUndecomposedRanges, code_point)) return false;
  utf8proc_int32_t parts[kExpansion];
  const int count = utf8proc_decomposition(code_point, parts);
  return count != 1 || parts[0] != static_cast<utf8proc_int32_t>(code_point);
}

struct FlaggedRanges {
  std::span<const CodePointRange> ranges;
  CharacterFlag flag;
};

std::uint8_t compute_flags(char32_t code_point) {
  const FlaggedRanges sets[] = {{kWhiteSpaceRanges, kWhiteSpace},     {cleaned_ranges(), kCleaned},
                                {kIdeographRanges, kIdeograph},       {nonspacing_ranges(), kNonspacing},
                                {punctuation_ranges(), kPunctuation}, {reorders_ranges(), kReorders}};
  unsigned flags = 0;
  for (const FlaggedRanges& set : sets)
    if (contains(set.ranges, code_point)) flags |= set.flag;
  if (decomposes(code_point)) flags |= kDecomposes;
  if (code_point == kDottedCapitalI || find_lower_case(code_point)) flags |= kLowers;
  return static_cast<std::uint8_t>(flags);
}

std::vector<std::uint8_t> make_table() {
  std::vector<std::uint8_t> table(kTableEnd);
  for (char32_t code_point = 0; code_point < kTableEnd; ++code_point) table[code_point] = compute_flags(code_point);
  return table;
}

}  // namespace

std::uint8_t character_flags(char32_t code_point) {
  static const std::vector<std::uint8_t> table = make_table();
  return code_point < kTableEnd ? table[code_point] : compute_flags(code_point);
}

int combining_class(char32_t code_point) {
  if (!(character_flags(code_point) & kReorders)) return 0;
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point))->combining_class;
}

int decompose(char32_t code_point, std::span<char32_t, kExpansion> out) {
  out[0] = code_point;
  if (!(character_flags(code_point) & kDecomposes)) return 1;
  utf8proc_int32_t parts[kExpansion];
  const int count = utf8proc_decomposition(code_point, parts);
  for (int i = 0; i < count && i < kExpansion; ++i) out[static_cast<std::size_t>(i)] = static_cast<char32_t>(parts[i]);
  return count;
}

int lower_case(char32_t code_point, std::span<char32_t, kExpansion> out) {
  if (code_point == kDottedCapitalI) {
    out[0] = 'i';
    out[1] = 0x307;
    return 2;
  }
  const LowerCaseRange* range = find_lower_case(code_point);
  out[0] = range ? static_cast<char32_t>(static_cast<std::int32_t>(code_point) + range->shift) : code_point;
  return 1;
}

bool is_word_character(char32_t code_point) { return contains(word_characters_ranges(), code_point); }

bool is_white_space(char32_t code_point) { return contains(kWhiteSpaceRanges, code_point); }

}  // namespace quire::tokenize
