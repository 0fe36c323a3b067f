// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "quire/encoder.h"
#include "tests/engine/copied_model.h"

namespace quire::test {
namespace {

// As in make_bert_golden.py.
const std::string kTexts[] = {"",
                              "a",
                              "what is deep learning",
                              "Caf\u00e9, \u00dcber-cool!",
                              "the same text alone or in a batch",
                              std::string("x\0y \u4e2d\u6587", 10)};

TextEncoder load(const EngineOptions& options = {}) {
  return must(TextEncoder::load(golden_folder("gelu_f32").string(), options));
}

Embedding one(TextEncoder& encoder, const Input& input, const EncodeOptions& options = {}) {
  return must(encoder.encode({input}, options)).front();
}

// Views of the texts, which must live as long as the inputs.
std::vector<Input> inputs_of(std::vector<std::string>&&) = delete;
std::vector<Input> inputs_of(const std::vector<std::string>& texts) {
  std::vector<Input> inputs;
  for (const std::string& text : texts) inputs.push_back({.text = text});
  return inputs;
}

TEST(TextEncoder, AgreesWithTransformersAtEveryLevel) {
  const GoldenCase golden("gelu_f32");
  for (Level level : runnable_levels()) {
    EngineOptions engine;
    engine.level = to_string(level);
    TextEncoder encoder = load(engine);
    for (std::size_t i = 0; i < std::size(kTexts); ++i) {
      const std::string key = "text." + std::to_string(i);
      const Embedding out = one(encoder, {.text = kTexts[i]});
      ASSERT_TRUE(out.status.ok()) << out.status.message();
      EXPECT_EQ(out.tokens, static_cast<std::int64_t>(golden.integers(key + ".ids").size()));
      EXPECT_FALSE(out.truncated);
      const std::vector<float> expected = golden.floats(key + ".vector");
      ASSERT_EQ(out.values.size(), expected.size());
      for (std::size_t c = 0; c < expected.size(); ++c) EXPECT_NEAR(out.values[c], expected[c], 2e-6) << i << " " << c;
    }
  }
}

TEST(TextEncoder, IdsAsTheyAreGiveTheTextsVector) {
  const GoldenCase golden("gelu_f32");
  TextEncoder encoder = load();
  const std::vector<std::int32_t> ids = golden.integers("text.2.ids");
  Input input;
  input.ids = ids;
  EXPECT_EQ(one(encoder, input).values, one(encoder, {.text = kTexts[2]}).values);
}

// A promise: the same text gives the same bits.
TEST(TextEncoder, BitsDoNotDependOnCompanyPlaceOrThreads) {
  std::vector<std::string> texts;
  for (int i = 0; i < 64; ++i) texts.push_back(kTexts[static_cast<std::size_t>(i) % 6] + std::string(i % 9, 'b'));
  TextEncoder alone = load();
  std::vector<std::vector<float>> expected;
  for (const std::string& text : texts) expected.push_back(one(alone, {.text = text}).values);
  for (int threads : {1, 2}) {
    EngineOptions engine;
    engine.threads = threads;
    auto encoder = TextEncoder::load(golden_folder("gelu_f32").string(), engine);
    if (!encoder.ok()) GTEST_SKIP() << "not run here: " << encoder.status().message();
    const auto together = must(encoder->encode(inputs_of(texts)));
    ASSERT_EQ(together.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(together[i].values, expected[i]) << i;
  }
}

TEST(TextEncoder, OneBadItemDoesNotTouchTheOthers) {
  TextEncoder encoder = load();
  const std::string long_text = "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q";
  const std::vector<std::int32_t> none, beyond = {2, 64, 3}, negative = {2, -1, 3};
  const std::vector<std::string> texts = {"a", "b\xff", long_text, "", "d"};
  std::vector<Input> inputs = inputs_of(texts);
  for (const auto* ids : {&none, &beyond, &negative}) inputs.emplace_back().ids = *ids;
  inputs.push_back({.text = "e"});
  const auto out = must(encoder.encode(inputs));
  const StatusCode expected[] = {StatusCode::ok,
                                 StatusCode::invalid_argument,
                                 StatusCode::ok,
                                 StatusCode::ok,
                                 StatusCode::ok,
                                 StatusCode::invalid_argument,
                                 StatusCode::invalid_argument,
                                 StatusCode::invalid_argument,
                                 StatusCode::ok};
  ASSERT_EQ(out.size(), std::size(expected));
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i].status.code(), expected[i]) << i << " " << out[i].status.message();
    EXPECT_EQ(out[i].values.empty(), !out[i].status.ok());
  }
  EXPECT_NE(out[6].status.message().find("index 1 is 64"), std::string::npos) << out[6].status.message();
}

TEST(TextEncoder, TooLongIsAnErrorUnlessTruncationIsChosen) {
  TextEncoder encoder = load();
  std::string text;
  for (int i = 0; i < 60; ++i) text += "a ";
  const Embedding refused = one(encoder, {.text = text});
  EXPECT_EQ(refused.status.code(), StatusCode::too_long);
  EXPECT_NE(refused.status.message().find("62"), std::string::npos) << refused.status.message();
  EXPECT_NE(refused.status.message().find("48"), std::string::npos) << refused.status.message();
  EncodeOptions options;
  options.truncate = true;
  const Embedding cut = one(encoder, {.text = text}, options);
  ASSERT_TRUE(cut.status.ok());
  EXPECT_TRUE(cut.truncated);
  EXPECT_EQ(cut.tokens, 48);
  EXPECT_EQ(cut.values, one(encoder, {.text = text.substr(0, 46 * 2)}).values);
}

TEST(TextEncoder, TheLimitMayBeRaisedToThePositionsAndNoFurther) {
  TextEncoder encoder = load();
  std::string text;
  for (int i = 0; i < 598; ++i) text += "a ";
  EncodeOptions options;
  options.max_tokens = 600;
  const Embedding whole = one(encoder, {.text = text}, options);
  EXPECT_TRUE(whole.status.ok()) << whole.status.message();
  EXPECT_EQ(whole.tokens, 600);
  options.max_tokens = 601;
  const Status status = encoder.encode({{.text = text}}, options).status();
  EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  EXPECT_NE(status.message().find("601"), std::string::npos);
  EXPECT_NE(status.message().find("600"), std::string::npos);
  options.max_tokens = -1;
  EXPECT_EQ(encoder.encode({{.text = text}}, options).status().code(), StatusCode::invalid_argument);
}

TEST(TextEncoder, GivenIdsKeepToTheLimitToo) {
  TextEncoder encoder = load();
  const std::vector<std::int32_t> ids(50, 7);
  Input input;
  input.ids = ids;
  EXPECT_EQ(one(encoder, input).status.code(), StatusCode::too_long);
  EncodeOptions options;
  options.truncate = true;
  const Embedding cut = one(encoder, input, options);
  EXPECT_TRUE(cut.truncated);
  EXPECT_EQ(cut.tokens, 48);
}

TEST(TextEncoder, PromptsAreText) {
  TextEncoder encoder = load();
  EncodeOptions query;
  query.prompt = "query";
  EXPECT_EQ(one(encoder, {.text = "a"}, query).values, one(encoder, {.text = "the query is a"}).values);
  query.prompt = "passage";
  const Status status = encoder.encode({{.text = "a"}}, query).status();
  EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  EXPECT_NE(status.message().find("passage"), std::string::npos);
  EXPECT_NE(status.message().find("query"), std::string::npos);
}

TEST(TextEncoder, TheDefaultPromptIsUsed) {
  const CopiedModel model;
  model.write("config_sentence_transformers.json",
              R"({"prompts": {"query": "the query is "}, "default_prompt_name": "query"})");
  TextEncoder encoder = must(TextEncoder::load(model.path())), plain = load();
  EXPECT_EQ(one(encoder, {.text = "a"}).values, one(plain, {.text = "the query is a"}).values);
}

TEST(TextEncoder, PoolingComesFromTheFolderOrTheCaller) {
  const CopiedModel model;
  for (const char* name : {"modules.json", "1_Pooling", "sentence_bert_config.json"}) model.remove(name);
  TextEncoder encoder = must(TextEncoder::load(model.path())), whole = load();
  const Status status = encoder.encode({{.text = "a"}}).status();
  EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  EXPECT_NE(status.message().find("pool"), std::string::npos);
  EncodeOptions options;
  options.pooling = Pooling::mean;
  options.normalize = true;
  EXPECT_EQ(one(encoder, {.text = "a"}, options).values, one(whole, {.text = "a"}).values);
}

TEST(TextEncoder, PoolingsDiffer) {
  TextEncoder encoder = load();
  std::vector<std::vector<float>> seen;
  for (Pooling pooling : {Pooling::mean, Pooling::cls, Pooling::max, Pooling::first_last}) {
    EncodeOptions options;
    options.pooling = pooling;
    options.normalize = false;
    const Embedding out = one(encoder, {.text = "what is deep"}, options);
    for (const auto& other : seen) EXPECT_NE(out.values, other);
    seen.push_back(out.values);
  }
}

// Weights that are finite, and products that are not.
TEST(TextEncoder, OutputsThatAreNotFiniteFailTheItem) {
  const CopiedModel model;
  std::string file = model.read("model.safetensors");
  const float huge = 3e38f;
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof(header));
  for (std::size_t i = 0; i < 48; ++i)  // embeddings.LayerNorm.weight: data_offsets [224, 416)
    std::memcpy(file.data() + 8 + header + 224 + 4 * i, &huge, sizeof(huge));
  model.write("model.safetensors", file);
  TextEncoder encoder = must(TextEncoder::load(model.path()));
  for (Pooling pooling : {Pooling::mean, Pooling::cls, Pooling::max, Pooling::first_last})
    for (bool normalize : {false, true}) {
      EncodeOptions options;
      options.pooling = pooling;
      options.normalize = normalize;
      const Embedding out = one(encoder, {.text = "what is deep"}, options);
      EXPECT_EQ(out.status.code(), StatusCode::non_finite) << static_cast<int>(pooling);
      EXPECT_TRUE(out.values.empty());
    }
}

TEST(TextEncoder, HandsOverManyItemsInOrder) {
  TextEncoder encoder = load();
  std::vector<std::string> texts;
  for (int i = 0; i < 2500; ++i) texts.push_back(std::string(static_cast<std::size_t>(i) % 7, 'a'));
  std::size_t next = 0;
  const Status status = encoder.encode(inputs_of(texts), {}, [&](std::size_t index, Embedding&& item) {
    EXPECT_EQ(index, next++);
    EXPECT_EQ(item.tokens, 2 + static_cast<std::int64_t>(index % 7));
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(next, texts.size());
}

TEST(TextEncoder, NoInputsGiveNoOutputsButOptionsAreChecked) {
  TextEncoder encoder = load();
  EXPECT_TRUE(must(encoder.encode({})).empty());
  EncodeOptions options;
  options.prompt = "nobody";
  EXPECT_FALSE(encoder.encode({}, options).ok());
}

TEST(TextEncoder, AnExceptionOfTheCallerBecomesAStatus) {
  TextEncoder encoder = load();
  const std::vector<std::string> texts = {"a"};
  const std::vector<Input> inputs = inputs_of(texts);
  const Status status =
      encoder.encode(inputs, {}, [](std::size_t, Embedding&&) { throw std::runtime_error("no more room"); });
  EXPECT_EQ(status.code(), StatusCode::internal);
  EXPECT_NE(status.message().find("no more room"), std::string::npos);
}

TEST(TextEncoder, ReserveMakesTheWorkspaceOnce) {
  TextEncoder encoder = load();
  ASSERT_TRUE(encoder.reserve(48, 1).ok());
  const std::int64_t bytes = encoder.workspace_bytes();
  ASSERT_TRUE(one(encoder, {.text = "what is deep"}).status.ok());
  ASSERT_TRUE(encoder.reserve(10, 1).ok());
  EXPECT_EQ(encoder.workspace_bytes(), bytes);
  ASSERT_TRUE(encoder.reserve(60, 2).ok());
  EXPECT_GT(encoder.workspace_bytes(), bytes);
  EXPECT_FALSE(encoder.reserve(0, 1).ok());
}

TEST(TextEncoder, ALineOfAMegabyteIsTooLongOrCut) {
  TextEncoder encoder = load();
  std::string words, word(1 << 20, 'a');
  while (words.size() < (1u << 20)) words += "what ";
  EXPECT_EQ(one(encoder, {.text = words}).status.code(), StatusCode::too_long);
  EncodeOptions options;
  options.truncate = true;
  EXPECT_EQ(one(encoder, {.text = words}, options).tokens, 48);
  EXPECT_EQ(one(encoder, {.text = word}).tokens, 3);  // one unknown word
}

}  // namespace
}  // namespace quire::test
