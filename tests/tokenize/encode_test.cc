// SPDX-License-Identifier: Apache-2.0
//
// Tokenizer::encode as a caller sees it: templates, truncation, refused texts, threads.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/support/is_error.h"
#include "tests/tokenize/small_tokenizer.h"
#include "tokenize/truncation.h"

namespace quire::tokenize {
namespace {

using namespace std::string_view_literals;
using test::encoded;
using test::encoded_pair;
using test::is_error;
using test::shown;
using test::small_tokenizer;
using Ids = std::vector<TokenId>;

TEST(Encode, PutsTheTemplateRoundOneText) {
  const Encoding encoding = encoded(small_tokenizer(), "hello abc!");
  EXPECT_EQ(encoding.ids, (Ids{2, 12, 8, 10, 15, 3}));
  EXPECT_EQ(encoding.type_ids, (std::vector<std::int32_t>(6, 0)));
  EXPECT_EQ(encoding.offsets, (std::vector<ByteSpan>{{0, 0}, {0, 5}, {6, 8}, {8, 9}, {9, 10}, {0, 0}}));
  EXPECT_EQ(encoding.sequence_ids, (std::vector<std::int8_t>{-1, 0, 0, 0, 0, -1}));
  EXPECT_EQ(encoding.special, (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 1}));
}

TEST(Encode, PutsTheTemplateRoundAPair) {
  const Encoding encoding = encoded_pair(small_tokenizer(), "hello a", "b");
  EXPECT_EQ(encoding.ids, (Ids{2, 12, 5, 3, 6, 3}));
  EXPECT_EQ(encoding.type_ids, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(encoding.offsets, (std::vector<ByteSpan>{{0, 0}, {0, 5}, {6, 7}, {0, 0}, {0, 1}, {0, 0}}));
  EXPECT_EQ(encoding.sequence_ids, (std::vector<std::int8_t>{-1, 0, 0, -1, 1, -1}));
  EXPECT_EQ(encoding.special, (std::vector<std::uint8_t>{1, 0, 0, 1, 0, 1}));
}

TEST(Encode, LeavesSpecialTokensOutWhereAsked) {
  const EncodeOptions bare{.add_special_tokens = false};
  EXPECT_EQ(encoded(small_tokenizer(), "a", bare).ids, (Ids{5}));
  const Encoding pair = encoded_pair(small_tokenizer(), "a", "b", bare);
  EXPECT_EQ(pair.ids, (Ids{5, 6}));
  EXPECT_EQ(pair.type_ids, (std::vector<std::int32_t>{0, 1}));
}

TEST(Encode, TakesOtherPostProcessors) {
  const Tokenizer bert =
      small_tokenizer("post_processor", R"({"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]})");
  EXPECT_EQ(encoded_pair(bert, "a", "b").ids, (Ids{2, 5, 3, 6, 3}));
  EXPECT_EQ(encoded_pair(bert, "a", "b").type_ids, (std::vector<std::int32_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(bert.special_tokens_added(false), 2);
  EXPECT_EQ(bert.special_tokens_added(true), 3);
  const Tokenizer none = small_tokenizer("post_processor", "null");
  EXPECT_EQ(encoded_pair(none, "a", "b").ids, (Ids{5, 6}));
  EXPECT_EQ(none.special_tokens_added(true), 0);
}

TEST(Encode, TakesEmptyTexts) {
  const Tokenizer tokenizer = small_tokenizer();
  EXPECT_EQ(encoded(tokenizer, "").ids, (Ids{2, 3}));
  EXPECT_EQ(encoded(tokenizer, " \n\u200B").ids, (Ids{2, 3}));
  EXPECT_EQ(encoded(tokenizer, {}).ids, (Ids{2, 3}));
  EXPECT_EQ(encoded_pair(tokenizer, "", "").ids, (Ids{2, 3, 3}));
  EXPECT_EQ(encoded(tokenizer, "", {.add_special_tokens = false}).ids, Ids{});
}

TEST(Encode, KeepsNothingOfTheLastCall) {
  const Tokenizer tokenizer = small_tokenizer();
  Encoding out = encoded(tokenizer, "hello hello hello");
  ASSERT_TRUE(tokenizer.encode("a", {}, out).ok());
  EXPECT_EQ(out.ids, (Ids{2, 5, 3}));
  EXPECT_EQ(out.offsets.size(), 3U);
  EXPECT_EQ(out.type_ids.size(), 3U);
  EXPECT_EQ(out.sequence_ids.size(), 3U);
  EXPECT_EQ(out.special.size(), 3U);
  bool truncated = true;
  EXPECT_FALSE(tokenizer.encode("\xFF", {}, out, &truncated).ok());
  EXPECT_TRUE(out.ids.empty());
  EXPECT_FALSE(truncated);
}

TEST(Encode, NulIsACharacterLikeAnother) {
  const Tokenizer tokenizer = small_tokenizer();
  EXPECT_EQ(shown(tokenizer, "a\0b c"sv), "ab[0,3] c[4,5]") << "dropped by clean_text, its neighbours join";
  EXPECT_EQ(shown(small_tokenizer("normalizer", "null"), "a\0 c"sv), "[UNK][0,2] c[3,4]");
}

TEST(Encode, RefusesInvalidUtf8) {
  const Tokenizer tokenizer = small_tokenizer();
  Encoding out;
  EXPECT_TRUE(is_error(tokenizer.encode("hello w\xF6rld", {}, out), StatusCode::invalid_argument,
                       {"text: byte 7 (0xF6) is not valid UTF-8"}));
  EXPECT_TRUE(is_error(tokenizer.encode_pair("a\xC3", "b", {}, out), StatusCode::invalid_argument,
                       {"first text: byte 1 (0xC3)"}));
  EXPECT_TRUE(is_error(tokenizer.encode_pair("a", "bc\xED\xA0\x80", {}, out), StatusCode::invalid_argument,
                       {"second text: byte 2 (0xED)"}));
}

TEST(Encode, TruncatesOnTheRight) {
  const Tokenizer tokenizer = small_tokenizer();
  const auto cut = [&](Index limit) {
    return encoded(tokenizer, "a b c d", {.max_tokens = limit, .truncate = true}).ids;
  };
  EXPECT_EQ(cut(0), (Ids{2, 5, 6, 7, 19, 3})) << "no limit";
  EXPECT_EQ(cut(6), (Ids{2, 5, 6, 7, 19, 3}));
  EXPECT_EQ(cut(5), (Ids{2, 5, 6, 7, 3}));
  EXPECT_EQ(cut(3), (Ids{2, 5, 3}));
  EXPECT_EQ(cut(2), (Ids{2, 3}));
  EXPECT_EQ(encoded(tokenizer, "abc", {.add_special_tokens = false, .max_tokens = 1, .truncate = true}).ids, (Ids{8}));
}

TEST(Encode, SaysWhetherItTruncated) {
  const Tokenizer tokenizer = small_tokenizer();
  Encoding out;
  bool truncated = true;
  ASSERT_TRUE(tokenizer.encode("a b", {.max_tokens = 4, .truncate = true}, out, &truncated).ok());
  EXPECT_FALSE(truncated);
  ASSERT_TRUE(tokenizer.encode("a b", {.max_tokens = 3, .truncate = true}, out, &truncated).ok());
  EXPECT_TRUE(truncated);
}

TEST(Encode, RefusesLongTextsUnlessAskedToCut) {
  const Tokenizer tokenizer = small_tokenizer();
  Encoding out;
  EXPECT_TRUE(tokenizer.encode("a b", {.max_tokens = 4}, out).ok());
  EXPECT_TRUE(
      is_error(tokenizer.encode("a b c", {.max_tokens = 4}, out), StatusCode::too_long, {"5 tokens", "at most 4"}));
  EXPECT_TRUE(is_error(tokenizer.encode_pair("a b", "c", {.max_tokens = 5}, out), StatusCode::too_long,
                       {"6 tokens", "at most 5"}));
}

TEST(Encode, RefusesLimitsThatSpecialTokensOverrun) {
  const Tokenizer tokenizer = small_tokenizer();
  Encoding out;
  for (const bool truncate : {false, true}) {
    EXPECT_TRUE(is_error(tokenizer.encode("a", {.max_tokens = 1, .truncate = truncate}, out),
                         StatusCode::invalid_argument, {"max_tokens is 1", "2 special tokens"}));
    EXPECT_TRUE(is_error(tokenizer.encode_pair("a", "b", {.max_tokens = 2, .truncate = truncate}, out),
                         StatusCode::invalid_argument, {"max_tokens is 2", "3 special tokens"}));
    EXPECT_TRUE(is_error(tokenizer.encode("a", {.max_tokens = -1, .truncate = truncate}, out),
                         StatusCode::invalid_argument, {"max_tokens is -1"}));
  }
}

TEST(Encode, CutsPairsAsHuggingFaceDoes) {
  const auto kept = [](Index first, Index second, Index room) {
    const Kept both = longest_first(first, second, room);
    return std::pair(both.first, both.second);
  };
  EXPECT_EQ(kept(3, 4, 7), std::pair(Index{3}, Index{4}));
  EXPECT_EQ(kept(2, 9, 6), std::pair(Index{2}, Index{4})) << "the shorter one, of at most half the room, stays";
  EXPECT_EQ(kept(9, 2, 6), std::pair(Index{4}, Index{2}));
  EXPECT_EQ(kept(9, 4, 7), std::pair(Index{4}, Index{3})) << "else both get half, the longer one the odd token";
  EXPECT_EQ(kept(4, 9, 7), std::pair(Index{3}, Index{4}));
  EXPECT_EQ(kept(5, 5, 7), std::pair(Index{3}, Index{4})) << "the second of equals";
  EXPECT_EQ(kept(5, 5, 0), std::pair(Index{0}, Index{0}));
  EXPECT_EQ(kept(0, 5, 3), std::pair(Index{0}, Index{3}));
  const Encoding pair = encoded_pair(small_tokenizer(), "a b c d a b", "c", {.max_tokens = 6, .truncate = true});
  EXPECT_EQ(pair.ids, (Ids{2, 5, 6, 3, 7, 3}));
}

TEST(Encode, DoesNotApplyStoredTruncationAndPadding) {
  test::Members members = test::kTokenizer;
  for (auto& [name, value] : members) {
    if (name == "truncation") value = R"({"direction":"Right","max_length":3,"strategy":"LongestFirst","stride":0})";
    if (name == "padding")
      value = R"({"strategy":{"Fixed":9},"direction":"Right","pad_to_multiple_of":null,"pad_id":0,"pad_type_id":0,
                  "pad_token":"[PAD]"})";
  }
  const auto tokenizer = test::parse(test::object_with(members));
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  EXPECT_EQ(encoded(*tokenizer, "a b c").ids, (Ids{2, 5, 6, 7, 3}));
}

TEST(Encode, TakesALineOfAMegabyte) {
  const Tokenizer tokenizer = small_tokenizer();
  const std::size_t size = std::size_t{1} << 20;
  EXPECT_EQ(encoded(tokenizer, std::string(size, 'a')).ids, (Ids{2, 1, 3})) << "one word, too long";
  std::string words;
  while (words.size() < size) words += "hello abc! ";
  const Encoding encoding = encoded(tokenizer, words);
  EXPECT_EQ(encoding.ids.size(), words.size() / 11 * 4 + 2);
  EXPECT_EQ(encoding.offsets[encoding.offsets.size() - 2].end, words.size() - 1);
  EXPECT_EQ(encoded(tokenizer, std::string(size, '!')).ids.size(), size + 2);
  EXPECT_EQ(encoded(tokenizer, std::string(size, ' ')).ids.size(), 2U);
}

TEST(Encode, LongWordsCostLinearTime) {
  // Each of a million steps may look ahead kWordBytes at most; an unlimited word of the model's own choice.
  const Tokenizer tokenizer =
      small_tokenizer("model", test::object_with(test::kWordPiece, "max_input_chars_per_word", "9223372036854775807"));
  std::string word = "a";
  word.append(std::size_t{1} << 20, 'b');
  EXPECT_EQ(encoded(tokenizer, word).ids.size(), (std::size_t{1} << 20) + 2);
  EXPECT_EQ(encoded(tokenizer, word + 'a').ids, (Ids{2, 1, 3}));
}

TEST(Encode, IsThreadSafe) {
  const Tokenizer tokenizer = small_tokenizer();
  const std::vector<std::string> texts = {"hello abc!", "É中 [MASK] cbc", "", "a\u0301\u0323b \u200B world",
                                          "z [MASK]ab"};
  std::vector<Ids> wanted;
  for (const std::string& text : texts) wanted.push_back(encoded(tokenizer, text).ids);
  const auto work = [&](std::size_t first, int& differences) {
    Encoding out;
    for (std::size_t i = 0; i < 20'000; ++i) {
      const std::size_t at = (first + i) % texts.size();
      if (!tokenizer.encode(texts[at], {}, out).ok() || out.ids != wanted[at]) ++differences;
    }
  };
  int differences[2] = {};
  std::thread other(work, 1, std::ref(differences[1]));
  work(0, differences[0]);
  other.join();
  EXPECT_EQ(differences[0], 0);
  EXPECT_EQ(differences[1], 0);
}

TEST(Tokenizer, KnowsItsWords) {
  const Tokenizer tokenizer = small_tokenizer();
  EXPECT_EQ(tokenizer.vocabulary_size(), 21);
  EXPECT_EQ(tokenizer.token(10), "##c");
  EXPECT_EQ(tokenizer.token(4), "[MASK]");
  EXPECT_EQ(tokenizer.token(21), std::nullopt);
  EXPECT_EQ(tokenizer.token(-1), std::nullopt);
  EXPECT_EQ(tokenizer.id("##bc"), 11);
  EXPECT_EQ(tokenizer.id("[MASK]"), 4);
  EXPECT_EQ(tokenizer.id("nowhere"), std::nullopt);
  EXPECT_EQ(tokenizer.id(""), std::nullopt);
}

TEST(Tokenizer, KeepsIdsThatHaveGaps) {
  const Tokenizer tokenizer = small_tokenizer(
      "model",
      R"({"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
                   "vocab":{"far":16777215,"[CLS]":2,"[SEP]":3,"[UNK]":9,"near":4}})");
  EXPECT_EQ(tokenizer.vocabulary_size(), 16777216);
  EXPECT_EQ(tokenizer.token(16777215), "far");
  EXPECT_EQ(tokenizer.token(4), "near");
  EXPECT_EQ(tokenizer.token(5), "[MASK]") << "added, behind five words";
  EXPECT_EQ(tokenizer.token(8), std::nullopt);
  EXPECT_EQ(encoded(tokenizer, "far near x").ids, (Ids{2, 16777215, 4, 9, 3}));
}

}  // namespace
}  // namespace quire::tokenize
