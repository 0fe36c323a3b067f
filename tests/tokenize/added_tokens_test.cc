// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "tests/tokenize/small_tokenizer.h"

namespace quire::tokenize {
namespace {

using test::shown;

test::Members token(std::string_view content, std::initializer_list<std::string_view> flags) {
  test::Members members = test::kAddedToken;
  for (auto& [name, value] : members) {
    if (name == "content") value = test::quoted(content);
    if (name == "id") value = "99";
    if (name == "special") value = "false";
    for (const std::string_view flag : flags)
      if (name == flag) value = "true";
  }
  return members;
}

Tokenizer with_tokens(const std::vector<test::Members>& tokens, std::string_view normalizer = "") {
  std::string list;
  for (const test::Members& one : tokens) list.append(list.empty() ? "[" : ",").append(test::object_with(one));
  test::Members members = test::kTokenizer;
  for (auto& [name, value] : members) {
    if (name == "added_tokens") value = list + "]";
    if (name == "normalizer" && !normalizer.empty()) value = normalizer;
  }
  auto tokenizer = test::parse(test::object_with(members));
  if (!tokenizer.ok()) throw std::runtime_error(tokenizer.status().message());
  return std::move(tokenizer).value();
}

TEST(AddedTokens, AreFoundInsideWords) {
  const Tokenizer plain = with_tokens({token("<x>", {})});
  EXPECT_EQ(shown(plain, "a<x>b"), "a[0,1] <x>[1,4] b[4,5]");
  EXPECT_EQ(shown(plain, "<x><x>"), "<x>[0,3] <x>[3,6]");
  EXPECT_EQ(shown(plain, "<X>"), "[UNK][0,1] [UNK][1,2] [UNK][2,3]") << "looked for in the original text";
  EXPECT_EQ(shown(plain, "<x\u200B>"), "[UNK][0,1] [UNK][1,2] [UNK][5,6]");
}

TEST(AddedTokens, OfThoseThatBeginTogetherTheLongestCounts) {
  const Tokenizer tokenizer = with_tokens({token("<x", {}), token("<x>>", {}), token("x>b", {})});
  EXPECT_EQ(shown(tokenizer, "<x>>"), "<x>>[0,4]");
  EXPECT_EQ(shown(tokenizer, "<x>a"), "<x[0,2] [UNK][2,3] a[3,4]");
  EXPECT_EQ(shown(tokenizer, "<x>b"), "<x[0,2] [UNK][2,3] b[3,4]") << "the first wins over one that overlaps";
  EXPECT_EQ(shown(tokenizer, "x>b"), "x>b[0,3]");
}

TEST(AddedTokens, StripTakesWhiteSpaceIntoTheToken) {
  EXPECT_EQ(shown(with_tokens({token("<x>", {"lstrip"})}), "a \t\u3000<x> b"), "a[0,1] <x>[1,9] b[10,11]");
  EXPECT_EQ(shown(with_tokens({token("<x>", {"rstrip"})}), "a <x> \n\u3000b"), "a[0,1] <x>[2,10] b[10,11]");
  EXPECT_EQ(shown(with_tokens({token("<x>", {"lstrip", "rstrip"})}), " <x>  <x> "), "<x>[0,6] <x>[6,10]");
}

TEST(AddedTokens, SingleWordNeedsFreeNeighbours) {
  const Tokenizer tokenizer = with_tokens({token("ab", {"single_word"})});
  EXPECT_EQ(tokenizer.id("ab"), 8) << "the vocabulary's id";
  const Tokenizer dots = with_tokens({token("é!", {"single_word"})});
  EXPECT_EQ(shown(dots, "é! (é!)"), "é![0,3] [UNK][4,5] é![5,8] [UNK][8,9]");
  EXPECT_EQ(shown(dots, "aé!"), "[UNK][0,3] ![3,4]");
  EXPECT_EQ(shown(dots, "é!b"), "[UNK][0,2] ![2,3] b[3,4]");
  EXPECT_EQ(shown(dots, "é!_"), "[UNK][0,2] ![2,3] [UNK][3,4]");
}

TEST(AddedTokens, NormalizedOnesAreFoundInNormalizedText) {
  const Tokenizer tokenizer = with_tokens({token("Hállo", {"normalized"})});
  EXPECT_EQ(shown(tokenizer, "hallo HALLO h\u00E1llo"), "Hállo[0,5] Hállo[6,11] Hállo[12,18]");
  EXPECT_EQ(shown(tokenizer, "ha\u200Bllo"), "Hállo[0,8]") << "the character that was dropped lies inside";
  const Tokenizer raw = with_tokens({token("Hállo", {"normalized"})}, "null");
  EXPECT_EQ(shown(raw, "Hállo!"), "Hállo[0,6] ![6,7]");
  EXPECT_EQ(shown(raw, "hallo!"), "[UNK][0,5] ![5,6]");
}

TEST(AddedTokens, GetTheirIdsAsInHuggingFace) {
  const Tokenizer tokenizer = with_tokens({token("<x>", {}), token("hello", {}), token("<y>", {}), token("", {})});
  EXPECT_EQ(tokenizer.id("<x>"), 21) << "the next free one, whatever the file says";
  EXPECT_EQ(tokenizer.id("hello"), 12) << "the vocabulary's";
  EXPECT_EQ(tokenizer.id("<y>"), 22);
  EXPECT_EQ(tokenizer.token(22), "<y>");
  EXPECT_EQ(tokenizer.token(23), std::nullopt);
  EXPECT_EQ(tokenizer.vocabulary_size(), 23);
}

TEST(AddedTokens, OfTwoEqualOnesTheLaterCounts) {
  const Tokenizer tokenizer = with_tokens({token("<x>", {"lstrip", "special"}), token("<x>", {"rstrip"})});
  EXPECT_EQ(shown(tokenizer, "a <x> b"), "a[0,1] <x>[2,6] b[6,7]");
  EXPECT_EQ(tokenizer.vocabulary_size(), 22);
  const EncodeOptions plain{.add_special_tokens = false, .match_special_tokens = false};
  EXPECT_EQ(shown(tokenizer, "<x>", plain), "[UNK][0,1] [UNK][1,2] [UNK][2,3]") << "once special, always special";
}

TEST(AddedTokens, SpecialOnesInTextsCanBeLeftAsText) {
  const Tokenizer tokenizer = with_tokens({token("[SEP]", {"special"}), token("<x>", {})});
  EXPECT_EQ(shown(tokenizer, "a[SEP]<x>"), "a[0,1] [SEP][1,6] <x>[6,9]");
  const EncodeOptions plain{.add_special_tokens = false, .match_special_tokens = false};
  EXPECT_EQ(shown(tokenizer, "a[SEP]<x>", plain), "a[0,1] [UNK][1,2] [UNK][2,5] [UNK][5,6] <x>[6,9]");
  const Encoding whole = test::encoded(tokenizer, "[SEP]", {.match_special_tokens = false});
  EXPECT_EQ(whole.ids, (std::vector<TokenId>{2, 1, 1, 1, 3})) << "the template's own tokens stay";
}

TEST(AddedTokens, TokensOfWhiteSpaceCostNoSquareTime) {
  const Tokenizer tokenizer = with_tokens({token(" ", {"lstrip", "rstrip"}), token("<x>", {"rstrip", "lstrip"})});
  const Encoding encoding = test::encoded(tokenizer, std::string(1 << 20, ' '));
  EXPECT_EQ(encoding.ids.size(), (std::size_t{1} << 20) + 2);
}

}  // namespace
}  // namespace quire::tokenize
