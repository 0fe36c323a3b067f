// SPDX-License-Identifier: Apache-2.0
//
// BertPreTokenizer, WordPiece and the trie under it.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/tokenize/small_tokenizer.h"
#include "tokenize/bert_pre_tokenizer.h"
#include "tokenize/byte_trie.h"
#include "tokenize/unicode.h"

namespace quire::tokenize {
namespace {

std::string split(const PreTokenizer& pre_tokenizer, std::string text) {
  NormalizedText normalized;
  normalized.text = std::move(text);
  normalized.origin.resize(normalized.text.size());
  std::vector<Range> words;
  pre_tokenizer.split(normalized, {0, normalized.text.size()}, words);
  std::string out;
  for (const Range& word : words) out += '|' + normalized.text.substr(word.begin, word.end - word.begin);
  return out;
}

TEST(BertPreTokenizer, SplitsAtWhiteSpaceAndPunctuation) {
  const BertPreTokenizer bert;
  EXPECT_EQ(split(bert, ""), "");
  EXPECT_EQ(split(bert, " \t\n\u3000"), "");
  EXPECT_EQ(split(bert, "hello world"), "|hello|world");
  EXPECT_EQ(split(bert, " a\u00A0b\u0085c "), "|a|b|c");
  EXPECT_EQ(split(bert, "don't..."), "|don|'|t|.|.|.");
  EXPECT_EQ(split(bert, "$+<=>^`|~"), "|$|+|<|=|>|^|`|||~") << "ASCII symbols count as punctuation";
  EXPECT_EQ(split(bert, "€×°™"), "|€×°™") << "other symbols do not";
  EXPECT_EQ(split(bert, "中。“x”—"), "|中|。|“|x|”|—");
  EXPECT_EQ(split(bert, "a_b\x01"), "|a|_|b\x01");
}

TEST(BertPreTokenizer, TakesAStretch) {
  NormalizedText normalized;
  normalized.text = "ab cd";
  std::vector<Range> words = {{7, 9}};
  BertPreTokenizer().split(normalized, {1, 4}, words);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[1].begin, 1U);
  EXPECT_EQ(words[1].end, 2U);
  EXPECT_EQ(words[2].begin, 3U);
  EXPECT_EQ(words[2].end, 4U);
}

Tokenizer with_model(std::string_view key, std::string_view value) {
  return test::small_tokenizer("model", test::object_with(test::kWordPiece, key, value));
}

TEST(WordPiece, TakesTheLongestMatch) {
  const Tokenizer tokenizer = test::small_tokenizer();
  EXPECT_EQ(test::shown(tokenizer, "ab"), "ab[0,2]");
  EXPECT_EQ(test::shown(tokenizer, "abc"), "ab[0,2] ##c[2,3]");
  EXPECT_EQ(test::shown(tokenizer, "cbc"), "c[0,1] ##bc[1,3]");
  EXPECT_EQ(test::shown(tokenizer, "abcb hellos"), "ab[0,2] ##c[2,3] ##b[3,4] hello[5,10] ##s[10,11]");
}

TEST(WordPiece, GivesOneUnknownForAWordThatFails) {
  const Tokenizer tokenizer = test::small_tokenizer();
  EXPECT_EQ(test::shown(tokenizer, "abz"), "[UNK][0,3]");
  EXPECT_EQ(test::shown(tokenizer, "z"), "[UNK][0,1]");
  EXPECT_EQ(test::shown(tokenizer, "aba"), "[UNK][0,3]") << "greedy, although nothing else would fit either";
  EXPECT_EQ(test::shown(tokenizer, "##b"), "[UNK][0,1] [UNK][1,2] b[2,3]");
}

TEST(WordPiece, CountsCharactersNotBytes) {
  const Tokenizer tokenizer = with_model("max_input_chars_per_word", "3");
  EXPECT_EQ(test::shown(tokenizer, "abb"), "ab[0,2] ##b[2,3]");
  EXPECT_EQ(test::shown(tokenizer, "abbb"), "[UNK][0,4]");
  const Tokenizer raw = test::small_tokenizer("normalizer", "null");
  std::string word = "a";
  for (int i = 0; i < 99; ++i) word += "b";
  EXPECT_EQ(test::encoded(raw, word, {.add_special_tokens = false}).ids.size(), 99U);
  EXPECT_EQ(test::shown(raw, word + "b"), "[UNK][0,101]");
  const Tokenizer wide = test::small_tokenizer(
      "model", R"({"type":"WordPiece","unk_token":"u","continuing_subword_prefix":"","max_input_chars_per_word":2,
                   "vocab":{"u":0,"é":1,"中":2,"😀":3}})");
  // The pre-tokeniser leaves é and 😀 whole; 中 is set apart by the normaliser.
  EXPECT_EQ(test::shown(wide, "中中"), "中[0,3] 中[3,6]");
  EXPECT_EQ(test::shown(wide, "😀😀"), "😀[0,4] 😀[4,8]");
  EXPECT_EQ(test::shown(wide, "😀😀😀"), "u[0,12]");
  EXPECT_EQ(test::shown(with_model("max_input_chars_per_word", "0"), "a"), "[UNK][0,1]");
}

TEST(WordPiece, TakesOtherPrefixes) {
  const Tokenizer none = with_model("continuing_subword_prefix", "\"\"");
  EXPECT_EQ(test::shown(none, "abcab"), "ab[0,2] c[2,3] ab[3,5]");
  const Tokenizer absent = with_model("continuing_subword_prefix", "\"@@\"");
  EXPECT_EQ(test::shown(absent, "ab"), "ab[0,2]");
  EXPECT_EQ(test::shown(absent, "abc"), "[UNK][0,3]") << "no word has the prefix";
}

TEST(ByteTrie, FindsWhatWasPutIn) {
  const auto word = [](int i) { return std::string("w").append(std::to_string(i)); };
  ByteTrie trie;
  EXPECT_EQ(trie.find(""), ByteTrie::kNoValue);
  EXPECT_EQ(trie.find("a"), ByteTrie::kNoValue);
  // Enough words to let the table grow many times.
  for (int i = 0; i < 20'000; ++i) ASSERT_TRUE(trie.insert(word(i), i));
  ASSERT_TRUE(trie.insert("", 7));
  ASSERT_TRUE(trie.insert("w1", 99)) << "has a value already and keeps it";
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(trie.find(word(i)), i);
  EXPECT_EQ(trie.find("w20000"), ByteTrie::kNoValue);
  EXPECT_EQ(trie.find("w"), ByteTrie::kNoValue);
  EXPECT_EQ(trie.find(""), 7);
  const ByteTrie::Match match = trie.longest("xw123456", 1);
  EXPECT_EQ(match.value, 12345);
  EXPECT_EQ(match.end, 7U);
  EXPECT_EQ(trie.longest("xw1", 0).value, ByteTrie::kNoValue);
  EXPECT_EQ(trie.longest("19", 0, trie.walk("w")).value, 19);
}

TEST(ByteTrie, TellsZeroBytesApart) {
  ByteTrie trie;
  ASSERT_TRUE(trie.insert(std::string(1, '\0'), 1));
  ASSERT_TRUE(trie.insert(std::string(3, '\0'), 3));
  EXPECT_EQ(trie.find(std::string(1, '\0')), 1);
  EXPECT_EQ(trie.find(std::string(2, '\0')), ByteTrie::kNoValue);
  EXPECT_EQ(trie.longest(std::string(5, '\0'), 0).end, 3U);
}

TEST(Unicode, KnowsWordCharacters) {
  for (const char32_t c : {U'a', U'Z', U'0', U'_', U'é', U'中', U'\u0301', U'\u200D', U'٣', U'ⅷ'})
    EXPECT_TRUE(is_word_character(c)) << static_cast<std::uint32_t>(c);
  for (const char32_t c : {U' ', U'-', U'.', U'²', U'€', U'\u200B', U'。', U'\0'})
    EXPECT_FALSE(is_word_character(c)) << static_cast<std::uint32_t>(c);
}

}  // namespace
}  // namespace quire::tokenize
