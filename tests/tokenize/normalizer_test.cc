// SPDX-License-Identifier: Apache-2.0
//
// The steps of the BERT normaliser one by one, and where its output says it comes from.
#include <gtest/gtest.h>

#include <string>

#include "tests/tokenize/small_tokenizer.h"
#include "tokenize/bert_normalizer.h"

namespace quire::tokenize {
namespace {

using namespace std::string_view_literals;

constexpr BertNormalizerOptions kNone{
    .clean_text = false, .handle_chinese_chars = false, .strip_accents = false, .lowercase = false};

NormalizedText normalized(const BertNormalizerOptions& options, std::string_view text) {
  NormalizedText out;
  BertNormalizer(options).normalize(text, {0, text.size()}, out);
  EXPECT_EQ(out.text.size(), out.origin.size());
  return out;
}

BertNormalizerOptions only(bool BertNormalizerOptions::*flag) {
  BertNormalizerOptions options = kNone;
  options.*flag = true;
  return options;
}

TEST(BertNormalizer, WithoutStepsChangesNothing) {
  const std::string_view text = "A\0\tÉ中 İ\u200b e\u0301\uFFFD \U0002F800"sv;
  EXPECT_EQ(normalized(kNone, text).text, text);
}

TEST(BertNormalizer, CleansText) {
  const auto clean = [](std::string_view text) {
    return normalized(only(&BertNormalizerOptions::clean_text), text).text;
  };
  EXPECT_EQ(clean("a\0b\x01\x1F\x7F\u0080"sv), "ab");
  EXPECT_EQ(clean("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(clean("a\vb\fc\u0085d"), "abcd") << "white space, but of category Cc";
  EXPECT_EQ(clean("\u00A0\u1680\u2003\u2028\u2029\u202F\u205F\u3000"), "        ");
  EXPECT_EQ(clean("a\uFFFDb\uFEFFc\u200Bd\u200De\u00ADf\uE000g\U000F0000h"), "abcdefgh");
  EXPECT_EQ(clean("\u0378\U000E0080\uFFFE"), "\u0378\U000E0080\uFFFE") << "unassigned ones stay";
  EXPECT_EQ(clean("É中e\u0301"), "É中e\u0301");
}

TEST(BertNormalizer, SetsIdeographsApart) {
  const auto apart = [](std::string_view text) {
    return normalized(only(&BertNormalizerOptions::handle_chinese_chars), text).text;
  };
  EXPECT_EQ(apart("a中b文"), "a 中 b 文 ");
  EXPECT_EQ(apart("\u3400\u4DBF\u9FFF\uF900\uFAFF"), " \u3400  \u4DBF  \u9FFF  \uF900  \uFAFF ");
  EXPECT_EQ(apart("\u33FF\uA000かカ한\u3005"), "\u33FF\uA000かカ한\u3005");
  EXPECT_EQ(apart("\U0002B820\U0002B91F\U0002B920"), "\U0002B820\U0002B91F \U0002B920 ") << "Hugging Face's slip";
  EXPECT_EQ(apart("\U0002F800\U0002FA1F\U0002FA20"), " \U0002F800  \U0002FA1F \U0002FA20");
}

TEST(BertNormalizer, StripsAccents) {
  const auto strip = [](std::string_view text) {
    return normalized(only(&BertNormalizerOptions::strip_accents), text).text;
  };
  EXPECT_EQ(strip("CAFÉ e\u0301 ñ Å"), "CAFE e n A");
  EXPECT_EQ(strip("İ"), "I");
  EXPECT_EQ(strip("ザガ"), "サカ");
  EXPECT_EQ(strip("한"), "\u1112\u1161\u11AB") << "Hangul is taken apart and not put together again";
  EXPECT_EQ(strip("\u0903\u20DD"), "\u0903\u20DD") << "Mc and Me stay";
  EXPECT_EQ(strip("\u08D4\u1DFB\U0001E000"), "\u08D4\u1DFB\U0001E000") << "marks younger than Unicode 8.0 stay";
  EXPECT_EQ(strip("ß Ω \u2126"), "ß Ω Ω");
}

TEST(BertNormalizer, OrdersMarksThatStay) {
  // U+302E (class 224, Mc) moves behind U+1D165 (class 216, Mc); neither is stripped.
  EXPECT_EQ(normalized(only(&BertNormalizerOptions::strip_accents), "a\u302E\U0001D165b").text, "a\U0001D165\u302Eb");
}

TEST(BertNormalizer, Lowers) {
  const auto lower = [](std::string_view text) {
    return normalized(only(&BertNormalizerOptions::lowercase), text).text;
  };
  EXPECT_EQ(lower("@AZ[`az{ÀÞß"), "@az[`az{àþß");
  EXPECT_EQ(lower("İ"), "i\u0307");
  EXPECT_EQ(lower("ΣΟΦΟΣ"), "σοφοσ") << "no final sigma";
  EXPECT_EQ(lower("ǅǆЯѢԱ\u2126\u212A"), "ǆǆяѣաωk");
}

TEST(BertNormalizer, SaysWhereEachByteComesFrom) {
  const NormalizedText out = normalized({}, "É中\u200Bx");  // 2, 3, 3 and 1 bytes
  EXPECT_EQ(out.text, "e 中 x");
  EXPECT_EQ(out.origin, (std::vector<ByteSpan>{{0, 2}, {2, 5}, {2, 5}, {2, 5}, {2, 5}, {2, 5}, {8, 9}}));
  EXPECT_EQ(out.source_of(0, 1), (ByteSpan{0, 2}));
  EXPECT_EQ(out.source_of(0, 7), (ByteSpan{0, 9}));
}

TEST(BertNormalizer, TakesAStretchOfTheText) {
  NormalizedText out;
  out.text = "kept";
  out.origin.resize(4);
  BertNormalizer({}).normalize("XXÀYY", {2, 4}, out);
  EXPECT_EQ(out.text, "kepta");
  EXPECT_EQ(out.origin.back(), (ByteSpan{2, 4}));
}

TEST(BertNormalizer, TakesAMegabyteOfMarks) {
  std::string marks = "a";
  for (int i = 0; i < 250'000; ++i) marks += i % 2 == 0 ? "\u0323" : "\u0307";
  EXPECT_EQ(normalized({}, marks).text, "a");
}

TEST(BertNormalizer, StripAccentsFollowsLowercaseWhereNull) {
  const auto of = [](std::string_view strip, std::string_view lower) {
    test::Members members = test::kBertNormalizer;
    for (auto& [name, value] : members) {
      if (name == "strip_accents") value = strip;
      if (name == "lowercase") value = lower;
    }
    return test::small_tokenizer("normalizer", test::object_with(members)).describe();
  };
  EXPECT_NE(of("null", "true").find("strip_accents, lowercase"), std::string::npos);
  EXPECT_EQ(of("null", "false").find("strip_accents"), std::string::npos);
  EXPECT_NE(of("true", "false").find("strip_accents)"), std::string::npos);
  EXPECT_EQ(of("false", "true").find("strip_accents"), std::string::npos);
  EXPECT_EQ(test::shown(test::small_tokenizer("normalizer", "null"), "A a é"), "A[0,1] a[2,3] é[4,6]");
}

}  // namespace
}  // namespace quire::tokenize
