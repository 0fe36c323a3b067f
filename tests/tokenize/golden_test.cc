// SPDX-License-Identifier: Apache-2.0
//
// Small tokenizers against what PyPI `tokenizers` made of the same texts: tests/golden/make_tokenizer_golden.py.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tokenize/small_tokenizer.h"
#include "tokenize/tokenizer.h"

namespace quire::tokenize {
namespace {

namespace dom = simdjson::dom;

std::filesystem::path folder_of(const std::string& name) {
  return std::filesystem::path(QUIRE_SOURCE_ROOT) / "tests/golden/tokenize" / name;
}

bool flag(dom::element golden, const char* key, bool absent) {
  dom::element value;
  return golden[key].get(value) ? absent : value.get_bool().value();
}

template <class T>
std::vector<T> integers(dom::element golden, const char* key) {
  std::vector<T> out;
  const dom::array values = golden[key].get_array();
  for (const dom::element value : values) out.push_back(static_cast<T>(value.get_int64().value()));
  return out;
}

std::vector<ByteSpan> spans(dom::element golden) {
  std::vector<ByteSpan> out;
  const dom::array pairs = golden["offsets"].get_array();
  for (const dom::element element : pairs) {
    const dom::array pair = element.get_array();
    out.push_back({static_cast<std::uint32_t>(pair.at(0).get_int64().value()),
                   static_cast<std::uint32_t>(pair.at(1).get_int64().value())});
  }
  return out;
}

std::vector<std::uint8_t> special_of(const std::vector<std::int8_t>& sequences) {
  std::vector<std::uint8_t> special;
  for (const std::int8_t sequence : sequences) special.push_back(sequence < 0 ? 1 : 0);
  return special;
}

void expect_equal(const Tokenizer& tokenizer, dom::element golden) {
  EncodeOptions options;
  options.add_special_tokens = flag(golden, "special", true);
  options.match_special_tokens = flag(golden, "match", true);
  dom::element limit, pair;
  if (!golden["max"].get(limit)) options.max_tokens = limit.get_int64().value();
  options.truncate = options.max_tokens > 0;
  const std::string_view text = golden["text"].get_string().value();
  Encoding out;
  bool truncated = false;
  const Status status = golden["pair"].get(pair)
                            ? tokenizer.encode(text, options, out, &truncated)
                            : tokenizer.encode_pair(text, pair.get_string().value(), options, out, &truncated);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(out.ids, integers<TokenId>(golden, "ids"));
  EXPECT_EQ(out.type_ids, integers<std::int32_t>(golden, "types"));
  EXPECT_EQ(out.sequence_ids, integers<std::int8_t>(golden, "sequences"));
  EXPECT_EQ(out.special, special_of(out.sequence_ids));
  EXPECT_EQ(out.offsets, spans(golden));
  EXPECT_EQ(truncated, flag(golden, "truncated", false));
}

class GoldenTokenizer : public testing::TestWithParam<const char*> {};

TEST_P(GoldenTokenizer, GivesWhatTokenizersGives) {
  const Result<Tokenizer> tokenizer = Tokenizer::open(folder_of(GetParam()));
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  std::ifstream cases(folder_of(GetParam()) / "cases.jsonl");
  dom::parser parser;
  int count = 0;
  for (std::string line; std::getline(cases, line); ++count) {
    SCOPED_TRACE(line);
    dom::element golden;
    ASSERT_EQ(parser.parse(line).get(golden), simdjson::SUCCESS);
    expect_equal(*tokenizer, golden);
  }
  EXPECT_GE(count, 50) << "cases.jsonl is not whole";
}

INSTANTIATE_TEST_SUITE_P(Tokenizers, GoldenTokenizer,
                         testing::Values("uncased", "cased", "lower_only", "strip_only", "added", "added_cased", "bare",
                                         "stored"),
                         [](const auto& about) { return std::string(about.param); });

}  // namespace

}  // namespace quire::tokenize
