// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/aligned_memory.h"
#include "quire/encoder.h"
#include "tests/engine/copied_model.h"

namespace quire::test {
namespace {

ModelFolder open(const std::string& path, const EngineOptions& options = {}) {
  return must(ModelFolder::open(path, options));
}

ModelFolder open_golden() { return open(golden_folder("gelu_f32").string()); }

TEST(Describe, SaysWhatTheFolderIs) {
  const ModelFolder folder = open_golden();
  const Description& d = folder.describe();
  EXPECT_EQ(d.family, "bert");
  EXPECT_EQ(d.architecture, "BertModel");
  EXPECT_EQ(d.layers, 3);
  EXPECT_EQ(d.hidden_size, 48);
  EXPECT_EQ(d.intermediate_size, 112);
  EXPECT_EQ(d.heads, 6);
  EXPECT_EQ(d.vocabulary, 64);
  EXPECT_EQ(d.pooling, "mean");
  EXPECT_EQ(d.pooling_source, "1_Pooling/config.json");
  EXPECT_TRUE(d.normalize);
  EXPECT_EQ(d.prompts, std::vector<std::string>{"query"});
  EXPECT_EQ(d.default_prompt, "");
  EXPECT_EQ(d.precision, "f32");
  // Three tables, their norm, and per layer four square and two wide matrices with biases and two norms.
  const std::int64_t tables = (64 + 600 + 2) * 48 + 2 * 48;
  const std::int64_t layer = 4 * (48 * 48 + 48) + 2 * 48 * 112 + 112 + 48 + 4 * 48;
  EXPECT_EQ(d.parameters, tables + 3 * layer);
}

TEST(Describe, NamesTheLevelThatRuns) {
  for (Level level : runnable_levels()) {
    EngineOptions options;
    options.level = to_string(level);
    const ModelFolder folder = open(golden_folder("gelu_f32").string(), options);
    EXPECT_EQ(folder.describe().level, to_string(level));
    EXPECT_EQ(folder.describe().kernels.front(), "gemm_f32_" + std::string(to_string(level)));
    EXPECT_NE(folder.describe().level_reason.find(to_string(level)), std::string::npos);
  }
}

// The least of three counts, and the file that set it.
TEST(Describe, LimitIsTheLeastAndNamesItsSource) {
  const CopiedModel model;
  const auto limit = [&] {
    const ModelFolder folder = open(model.path());
    return std::pair(folder.describe().max_tokens, folder.describe().max_tokens_source);
  };
  EXPECT_EQ(limit(), std::pair(std::int64_t{48}, std::string("sentence_bert_config.json max_seq_length")));
  model.write("sentence_bert_config.json", R"({"do_lower_case": false})");
  EXPECT_EQ(limit(), std::pair(std::int64_t{512}, std::string("tokenizer_config.json model_max_length")));
  model.write("tokenizer_config.json", R"({"model_max_length": 1000000000000000019884624838656})");
  EXPECT_EQ(limit(), std::pair(std::int64_t{600}, std::string("config.json max_position_embeddings")));
  EXPECT_EQ(open(model.path()).describe().position_limit, 600);
}

TEST(Plan, IsWhatTheEncoderHolds) {
  ModelFolder folder = open_golden();
  const Plan plan = must(folder.plan(100, 3));
  const std::int64_t before = allocation_stats().bytes_held;
  TextEncoder encoder = must(TextEncoder::load(std::move(folder)));
  EXPECT_EQ(encoder.weight_bytes(), plan.weight_bytes);
  EXPECT_EQ(encoder.workspace_bytes(), 0);
  ASSERT_TRUE(encoder.reserve(100, 3).ok());
  EXPECT_EQ(encoder.workspace_bytes(), plan.workspace_bytes);
  EXPECT_EQ(allocation_stats().bytes_held - before, plan.weight_bytes + plan.workspace_bytes);
}

TEST(Plan, RefusesWhatCannotBe) {
  const ModelFolder folder = open_golden();
  EXPECT_EQ(folder.plan(0).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(folder.plan(-5).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(folder.plan(5, 6).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(folder.plan(INT64_MAX).status().code(), StatusCode::invalid_argument);
}

std::vector<std::string> words(const Tokenized& tokenized) {
  std::vector<std::string> out;
  for (const Token& token : tokenized.tokens) out.push_back(token.text);
  return out;
}

TEST(Tokenize, GivesTokensWithBytesOfTheText) {
  const ModelFolder folder = open_golden();
  const Tokenized out = must(folder.tokenize({.text = "the Dé!"}));
  ASSERT_TRUE(out.status.ok()) << out.status.message();
  EXPECT_EQ(words(out), (std::vector<std::string>{"[CLS]", "the", "d", "##e", "!", "[SEP]"}));
  const std::pair<std::uint32_t, std::uint32_t> spans[] = {{0, 0}, {0, 3}, {4, 5}, {5, 7}, {7, 8}, {0, 0}};
  for (std::size_t i = 0; i < out.tokens.size(); ++i)
    EXPECT_EQ(std::pair(out.tokens[i].begin, out.tokens[i].end), spans[i]) << i;
}

TEST(Tokenize, PromptsShiftNothing) {
  const ModelFolder folder = open_golden();
  EncodeOptions options;
  options.prompt = "query";  // "the query is "
  const Tokenized out = must(folder.tokenize({.text = "the a"}, options));
  ASSERT_TRUE(out.status.ok());
  ASSERT_EQ(out.tokens.size(), 1u + 1 + 5 + 1 + 2 + 1);
  EXPECT_EQ(out.tokens[1].text, "the");
  EXPECT_EQ(out.tokens[1].end, 0u);
  const Token& the = out.tokens[out.tokens.size() - 3];
  EXPECT_EQ(the.text, "the");
  EXPECT_EQ(std::pair(the.begin, the.end), std::pair(0u, 3u));
  const Token& a = out.tokens[out.tokens.size() - 2];
  EXPECT_EQ(std::pair(a.begin, a.end), std::pair(4u, 5u));
}

TEST(Tokenize, HasNoLimitOfItsOwn) {
  const ModelFolder folder = open_golden();
  std::string text;
  for (int i = 0; i < 100; ++i) text += "a ";
  EXPECT_EQ(must(folder.tokenize({.text = text})).tokens.size(), 102u);
  EncodeOptions options;
  options.max_tokens = 10;
  EXPECT_EQ(must(folder.tokenize({.text = text}, options)).status.code(), StatusCode::too_long);
  options.truncate = true;
  const Tokenized cut = must(folder.tokenize({.text = text}, options));
  EXPECT_TRUE(cut.truncated);
  EXPECT_EQ(cut.tokens.size(), 10u);
  EXPECT_EQ(cut.tokens.back().text, "[SEP]");
}

}  // namespace
}  // namespace quire::test
