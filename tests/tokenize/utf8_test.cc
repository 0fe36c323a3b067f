// SPDX-License-Identifier: Apache-2.0
#include "tokenize/utf8.h"

#include <gtest/gtest.h>

#include "tests/support/is_error.h"

namespace quire::tokenize {
namespace {

using namespace std::string_view_literals;

TEST(Utf8, TakesEveryCodePoint) {
  for (char32_t code_point = 0; code_point < 0x110000; ++code_point) {
    if (code_point >= 0xD800 && code_point < 0xE000) continue;
    char bytes[4];
    const auto length = static_cast<std::size_t>(write_code_point(code_point, bytes));
    const std::string_view text(bytes, length);
    ASSERT_EQ(first_invalid_utf8(text), length) << std::hex << static_cast<std::uint32_t>(code_point);
    std::size_t at = 0;
    ASSERT_EQ(next_code_point(text, at), code_point);
    ASSERT_EQ(at, length);
    ASSERT_EQ(previous_code_point(text, length), code_point);
    ASSERT_EQ(count_code_points(text), 1);
  }
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  const struct {
    std::string_view text;
    std::size_t at;
  } cases[] = {
      {"\x80", 0},                      // a tail without lead
      {"a\xFF", 1},                     // no lead at all
      {"\xC0\x80", 0},                  // overlong NUL
      {"\xC1\xBF", 0},                  // overlong
      {"\xE0\x9F\xBF", 0},              // overlong
      {"\xF0\x8F\xBF\xBF", 0},          // overlong
      {"ab\xED\xA0\x80", 2},            // U+D800
      {"\xED\xBF\xBF", 0},              // U+DFFF
      {"\xF4\x90\x80\x80", 0},          // U+110000
      {"\xF5\x80\x80\x80", 0},          // above
      {"\xC3", 0},                      // cut
      {"\xE4\xB8", 0},                  // cut
      {"\xF0\x9F\x98", 0},              // cut
      {"\xE4\xB8\x61", 0},              // second tail missing
      {"\xF0\x9F\x98\x61", 0},          // third tail missing
      {"01234567\xC3", 8},              // behind eight plain bytes, which are checked at once
      {"0123456789abcde\xE4\xB8z", 15}  // across an eight-byte step
  };
  for (const auto& one : cases) EXPECT_EQ(first_invalid_utf8(one.text), one.at) << testing::PrintToString(one.text);
  for (const std::string_view valid :
       {""sv, "\0"sv, "0123456\xC3\xA9"sv, "\xED\x9F\xBF\xEE\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv})
    EXPECT_EQ(first_invalid_utf8(valid), valid.size());
}

TEST(Utf8, ErrorsNamePositionAndValue) {
  EXPECT_TRUE(check_utf8("caf\xC3\xA9", "text").ok());
  EXPECT_TRUE(test::is_error(check_utf8("caf\xE9", "second text"), StatusCode::invalid_argument,
                             {"second text: byte 3 (0xE9) is not valid UTF-8"}));
}

}  // namespace
}  // namespace quire::tokenize
