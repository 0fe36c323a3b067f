// SPDX-License-Identifier: Apache-2.0
//
// all-MiniLM-L6-v2 itself, where it is: models/ in the project, or the folder named by QUIRE_MODELS.
#include <gtest/gtest.h>

#include "quire/encoder.h"
#include "tests/engine/golden_case.h"

namespace quire::test {
namespace {

class MiniLm : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("QUIRE_MODELS");
    const std::filesystem::path models =
        named ? std::filesystem::path(named) : std::filesystem::path(QUIRE_SOURCE_ROOT) / "models";
    folder_ = (models / "all-MiniLM-L6-v2").string();
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "no models/all-MiniLM-L6-v2";
  }
  std::string folder_;
};

TEST_F(MiniLm, StartsAsTransformersInDoublePrecision) {
  constexpr float kExpected[] = {-0.59023708f, -0.25231850f, 0.14968641f, 0.05478784f};
  for (Level level : runnable_levels()) {
    EngineOptions engine;
    engine.level = to_string(level);
    TextEncoder encoder = must(TextEncoder::load(folder_, engine));
    EncodeOptions options;
    options.normalize = false;
    const Embedding out = must(encoder.encode({{.text = "What is Deep Learning?"}}, options)).front();
    ASSERT_TRUE(out.status.ok()) << out.status.message();
    ASSERT_EQ(out.values.size(), 384u);
    EXPECT_EQ(out.tokens, 7);
    for (std::size_t i = 0; i < std::size(kExpected); ++i)
      EXPECT_NEAR(out.values[i], kExpected[i], 2e-6) << to_string(level) << " component " << i;
  }
}

TEST_F(MiniLm, DescribesItself) {
  const ModelFolder folder = must(ModelFolder::open(folder_));
  const Description& d = folder.describe();
  EXPECT_EQ(d.parameters, 22713216);
  EXPECT_EQ(d.max_tokens, 256);
  EXPECT_EQ(d.max_tokens_source, "sentence_bert_config.json max_seq_length");
  EXPECT_EQ(d.position_limit, 512);
  EXPECT_EQ(d.pooling, "mean");
  EXPECT_TRUE(d.normalize);
}

}  // namespace
}  // namespace quire::test
