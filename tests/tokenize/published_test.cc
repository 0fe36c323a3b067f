// SPDX-License-Identifier: Apache-2.0
//
// bert-base-uncased on the inputs of data/token_ids, against the ids that other projects publish for them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/support/shared_data.h"
#include "tests/tokenize/small_tokenizer.h"

namespace quire::tokenize {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<TokenId>;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    parts.emplace_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return parts;
    at = end + separator.size();
  }
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  const std::vector<std::string> parts = split(text, from);
  std::string out = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) out.append(to).append(parts[i]);
  return out;
}

// Integers with blanks or ", " between them.
Ids ids_of(const std::string& line) {
  std::istringstream in(replaced(line, ",", " "));
  return {std::istream_iterator<TokenId>(in), {}};
}

class Published : public testing::Test {
 protected:
  void SetUp() override {
    const auto data = test::shared_data();
    if (!data) GTEST_SKIP() << "no shared data";
    folder_ = *data / "token_ids";
    auto tokenizer = Tokenizer::open(*data / "tokenizers/bert-base-uncased");
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
    tokenizer_.emplace(std::move(tokenizer).value());
  }

  Ids ids(std::string_view text) { return test::encoded(*tokenizer_, text, {.add_special_tokens = false}).ids; }

  fs::path folder_;
  std::optional<Tokenizer> tokenizer_;
};

TEST_F(Published, LlamaCpp) {
  const auto texts = split(content_of(folder_ / "llamacpp/input.txt"), "\n__ggml_vocab_test__\n");
  const auto lines = split(content_of(folder_ / "llamacpp/bert-bge.out"), "\n");
  ASSERT_EQ(texts.size(), 47U);
  ASSERT_EQ(lines.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(ids(texts[i]), ids_of(lines[i])) << texts[i];
}

// These ids are cut or padded to 512. The words are those of bert-base-uncased.
void compare_kitoken(const Ids& found, const std::string& line, const std::string& text) {
  Ids padded = found;
  padded.resize(512, 0);
  EXPECT_EQ(padded, ids_of(line)) << text;
}

TEST_F(Published, KitokenSmall) {
  const auto texts = split(content_of(folder_ / "kitoken/small_input.txt"), "\n");
  const auto lines = split(content_of(folder_ / "kitoken/small_tokens_gte.txt"), "\n");
  ASSERT_EQ(texts.size(), 21U) << "20 and what stands behind the last line end";
  ASSERT_EQ(lines.size(), texts.size());
  for (std::size_t i = 0; i + 1 < texts.size(); ++i) {
    const std::string text = replaced(replaced(texts[i], "\\n", "\n"), "\\s", " ");
    compare_kitoken(ids(text), lines[i], text);
  }
}

TEST_F(Published, KitokenMixed) {
  const auto texts = split(content_of(folder_ / "kitoken/mixed_input.txt"), "\n");
  const auto lines = split(content_of(folder_ / "kitoken/mixed_tokens_gte.txt"), "\n");
  ASSERT_EQ(texts.size(), 121U);
  ASSERT_EQ(lines.size(), texts.size());
  for (std::size_t i = 0; i + 1 < texts.size(); ++i) compare_kitoken(ids(texts[i]), lines[i], texts[i]);
}

TEST_F(Published, Pair) {
  const Encoding pair = test::encoded_pair(*tokenizer_, "what is pi", "pi is 3.14");
  EXPECT_EQ(pair.ids, (Ids{101, 2054, 2003, 14255, 102, 14255, 2003, 1017, 1012, 2403, 102}));
  EXPECT_EQ(pair.type_ids, (std::vector<std::int32_t>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace quire::tokenize
