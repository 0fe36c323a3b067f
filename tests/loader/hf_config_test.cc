// SPDX-License-Identifier: Apache-2.0
#include "loader/hf_config.h"

#include <gtest/gtest.h>

#include "tests/support/is_error.h"
#include "tests/support/temp_dir.h"

namespace quire::loader {
namespace {

using test::is_error;
using test::TempDir;

struct Member {
  std::string key, value;
};

const std::vector<Member> kBert = {
    {"model_type", "\"bert\""},     {"architectures", "[\"BertModel\"]"}, {"vocab_size", "30522"},
    {"hidden_size", "384"},         {"num_hidden_layers", "6"},           {"num_attention_heads", "12"},
    {"intermediate_size", "1536"},  {"max_position_embeddings", "512"},   {"type_vocab_size", "3"},
    {"hidden_act", "\"gelu_new\""}, {"layer_norm_eps", "1e-7"},           {"pad_token_id", "0"}};

// kBert with `key` set to `value`, or without it where `value` is empty.
std::string bert_with(const std::string& key, const std::string& value) {
  std::vector<Member> members = kBert;
  std::erase_if(members, [&](const Member& member) { return member.key == key; });
  if (!value.empty()) members.push_back({key, value});
  std::string text = "{\n";
  for (const Member& member : members) {
    if (text.size() > 2) text += ",\n";
    text.append("  \"").append(member.key).append("\": ").append(member.value);
  }
  return text + "\n}\n";
}

Result<BertConfig> read_bert(std::string_view config) {
  const TempDir dir;
  dir.write("config.json", config);
  return read_bert_config(dir.path());
}

testing::AssertionResult refuses(const std::string& key, const std::string& value, StatusCode code,
                                 std::string_view fact) {
  return is_error(read_bert(bert_with(key, value)).status(), code, {"config.json: ", "\"" + key + "\"", fact});
}

TEST(BertConfig, ReadsEveryKey) {
  const auto config = read_bert(bert_with("", ""));
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(config->vocab_size, 30522);
  EXPECT_EQ(config->hidden_size, 384);
  EXPECT_EQ(config->num_hidden_layers, 6);
  EXPECT_EQ(config->num_attention_heads, 12);
  EXPECT_EQ(config->intermediate_size, 1536);
  EXPECT_EQ(config->max_position_embeddings, 512);
  EXPECT_EQ(config->type_vocab_size, 3);
  EXPECT_EQ(config->hidden_act, "gelu_new");
  EXPECT_EQ(config->layer_norm_eps, 1e-7);
}

TEST(BertConfig, HasTheDefaultsOfTransformers) {
  EXPECT_EQ(read_bert(bert_with("type_vocab_size", ""))->type_vocab_size, 2);
  EXPECT_EQ(read_bert(bert_with("hidden_act", ""))->hidden_act, "gelu");
  EXPECT_EQ(read_bert(bert_with("layer_norm_eps", ""))->layer_norm_eps, 1e-12);
  EXPECT_EQ(read_bert(bert_with("layer_norm_eps", "null"))->layer_norm_eps, 1e-12);
}

TEST(BertConfig, NeedsTheSizes) {
  for (const char* key : {"model_type", "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
                          "intermediate_size", "max_position_embeddings"})
    EXPECT_TRUE(refuses(key, "", StatusCode::not_found, "is missing")) << key;
}

TEST(BertConfig, WantsWholePositiveSizes) {
  for (const char* value : {"0", "-1", "384.0", "3e2", "\"384\"", "null", "true", "[384]", "{}", "2147483649",
                            "9223372036854775808", "1000000000000000000000000"})
    EXPECT_TRUE(refuses("hidden_size", value, StatusCode::corrupt_file, "wanted a whole number from 1 to 2147483648"))
        << value;
  EXPECT_TRUE(refuses("hidden_size", "\"x\"", StatusCode::corrupt_file, "is the string \"x\""));
  EXPECT_TRUE(refuses("type_vocab_size", "0", StatusCode::corrupt_file, "is the number 0"));
  EXPECT_TRUE(read_bert(bert_with("vocab_size", "2147483648")).ok());
}

TEST(BertConfig, WantsHeadsThatDivide) {
  EXPECT_TRUE(refuses("num_attention_heads", "7", StatusCode::corrupt_file, "7 does not divide \"hidden_size\" 384"));
}

TEST(BertConfig, WantsASmallEpsilon) {
  for (const char* value : {"0", "-1e-12", "1", "1e999", "\"1e-12\"", "true"})
    EXPECT_TRUE(refuses("layer_norm_eps", value, StatusCode::corrupt_file, "wanted a number")) << value;
}

TEST(BertConfig, HandsOnAnyActivation) {
  EXPECT_EQ(read_bert(bert_with("hidden_act", "\"mish\""))->hidden_act, "mish");
  EXPECT_TRUE(refuses("hidden_act", "1", StatusCode::corrupt_file, "is the number 1, wanted a string"));
}

TEST(BertConfig, RefusesOtherNetworks) {
  EXPECT_TRUE(refuses("model_type", "\"roberta\"", StatusCode::unsupported, "is \"roberta\", wanted \"bert\""));
  EXPECT_TRUE(refuses("position_embedding_type", "\"relative_key\"", StatusCode::unsupported, "\"relative_key\""));
  EXPECT_TRUE(refuses("is_decoder", "true", StatusCode::unsupported, "is true"));
  EXPECT_TRUE(refuses("auto_map", R"({"AutoModel":"x.Y"})", StatusCode::unsupported, "code of its own"));
  EXPECT_TRUE(refuses("quantization_config", R"({"bits":4})", StatusCode::unsupported, "quantized"));
  EXPECT_TRUE(refuses("pruned_heads", R"({"0":[1]})", StatusCode::unsupported, "pruned"));
}

TEST(BertConfig, TakesTheHarmlessForms) {
  EXPECT_TRUE(read_bert(bert_with("position_embedding_type", "\"absolute\"")).ok());
  EXPECT_TRUE(read_bert(bert_with("is_decoder", "false")).ok());
  EXPECT_TRUE(read_bert(bert_with("auto_map", "null")).ok());
  EXPECT_TRUE(read_bert(bert_with("pruned_heads", "{}")).ok());
  EXPECT_TRUE(read_bert(bert_with("classifier_dropout", "null")).ok());
  EXPECT_TRUE(read_bert(bert_with("some_new_key", "[{\"x\":1e5}]")).ok());
}

TEST(BertConfig, NeedsAFileOfJson) {
  EXPECT_TRUE(is_error(read_bert("").status(), StatusCode::corrupt_file, {"config.json", "is empty"}));
  EXPECT_TRUE(is_error(read_bert("<html>").status(), StatusCode::corrupt_file, {"config.json", "not"}));
  EXPECT_TRUE(is_error(read_bert("[]").status(), StatusCode::corrupt_file, {"config.json", "is not an object"}));
  EXPECT_TRUE(
      is_error(read_bert(bert_with("", "") + "}").status(), StatusCode::corrupt_file, {"config.json", "not valid"}));
  const TempDir dir;
  EXPECT_TRUE(is_error(read_bert_config(dir.path()).status(), StatusCode::not_found, {"config.json", "no such file"}));
  EXPECT_TRUE(is_error(read_bert_config(dir.path() / "x").status(), StatusCode::not_found, {"x: no such folder"}));
}

TEST(ModelKind, ReadsTypeAndArchitectures) {
  const TempDir dir;
  dir.write("config.json", R"({"model_type":"modernbert","architectures":["A","B"]})");
  const auto kind = read_model_kind(dir.path());
  ASSERT_TRUE(kind.ok()) << kind.status().message();
  EXPECT_EQ(kind->model_type, "modernbert");
  EXPECT_EQ(kind->architectures, (std::vector<std::string>{"A", "B"}));
}

TEST(ModelKind, NeedsAType) {
  const auto status_of = [](std::string_view config) {
    const TempDir dir;
    dir.write("config.json", config);
    return read_model_kind(dir.path()).status();
  };
  EXPECT_TRUE(status_of(R"({"model_type":"bert","architectures":null})").ok());
  EXPECT_TRUE(is_error(status_of("{}"), StatusCode::not_found, {"config.json", "\"model_type\" is missing"}));
  EXPECT_TRUE(is_error(status_of(R"({"model_type":1})"), StatusCode::corrupt_file, {"config.json", "is the number 1"}));
  EXPECT_TRUE(is_error(status_of(R"({"model_type":"bert","architectures":"B"})"), StatusCode::corrupt_file,
                       {"config.json", "\"architectures\" is the string \"B\""}));
  EXPECT_TRUE(is_error(status_of(R"({"model_type":"bert","architectures":[1]})"), StatusCode::corrupt_file,
                       {"config.json", "\"architectures\" holds the number 1"}));
}

Result<Index> limit_of(std::string_view config) {
  const TempDir dir;
  dir.write("tokenizer_config.json", config);
  return read_tokenizer_limit(dir.path());
}

TEST(TokenizerLimit, ReadsSaneNumbers) {
  EXPECT_EQ(*limit_of(R"({"model_max_length":512})"), 512);
  EXPECT_EQ(*limit_of(R"({"model_max_length":512.0})"), 512);
  EXPECT_EQ(*limit_of(R"({"model_max_length":1000000000000000019884624838656})"), 0);
  EXPECT_EQ(*limit_of(R"({"model_max_length":1e30})"), 0);
  EXPECT_EQ(*limit_of(R"({"model_max_length":null})"), 0);
  EXPECT_EQ(*limit_of("{}"), 0);
  EXPECT_EQ(*read_tokenizer_limit(TempDir().path()), 0);
}

TEST(TokenizerLimit, RefusesWhatIsNoLimit) {
  for (const char* value : {"0", "-5", "0.5", "512.5", "-1e30", "\"512\"", "true", "[512]"})
    EXPECT_TRUE(is_error(limit_of(R"({"model_max_length":)" + std::string(value) + "}").status(),
                         StatusCode::corrupt_file,
                         {"tokenizer_config.json", "\"model_max_length\" is ", "wanted a whole number above 0"}))
        << value;
  EXPECT_TRUE(is_error(limit_of("{").status(), StatusCode::corrupt_file, {"tokenizer_config.json", "not valid JSON"}));
}

}  // namespace
}  // namespace quire::loader
