// SPDX-License-Identifier: Apache-2.0
#include "engine/token_batch.h"

#include <gtest/gtest.h>

#include "tests/engine/golden_case.h"

namespace quire::test {
namespace {

using engine::TokenBatch;

engine::ModelSpec spec() {
  engine::ModelSpec spec;
  spec.max_tokens = 3;
  spec.embedding.vocabulary = 10;
  spec.embedding.types = 2;
  spec.embedding.type = "types";
  return spec;
}

Status check(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& types,
             const std::vector<std::int32_t>& offsets) {
  return engine::check_batch({ids, types, offsets}, spec());
}

TEST(CheckBatch, TakesAProperBatch) { EXPECT_TRUE(check({0, 9, 3, 4}, {0, 1, 1, 0}, {0, 3, 4}).ok()); }

TEST(CheckBatch, RefusesIdsOutsideTheVocabularyByIndexAndValue) {
  for (std::int32_t bad : {-1, 10, 2147483647}) {
    const Status status = check({0, bad}, {0, 0}, {0, 2});
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    EXPECT_NE(status.message().find("index 1 is " + std::to_string(bad)), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("vocabulary of 10"), std::string::npos) << status.message();
  }
}

TEST(CheckBatch, RefusesTypesOutsideTheirTable) {
  EXPECT_EQ(check({0, 1}, {0, 2}, {0, 2}).code(), StatusCode::invalid_argument);
  EXPECT_EQ(check({0, 1}, {0, -1}, {0, 2}).code(), StatusCode::invalid_argument);
  EXPECT_EQ(check({0, 1}, {0}, {0, 2}).code(), StatusCode::invalid_argument);
}

TEST(CheckBatch, RefusesOffsetsThatAreNoOffsets) {
  const std::vector<std::int32_t> two = {0, 0};
  EXPECT_FALSE(check(two, two, {}).ok());
  EXPECT_FALSE(check(two, two, {0}).ok());
  EXPECT_FALSE(check(two, two, {1, 2}).ok());
  EXPECT_FALSE(check(two, two, {0, 1}).ok());
  EXPECT_FALSE(check(two, two, {0, 3}).ok());
  EXPECT_FALSE(check(two, two, {0, 0, 2}).ok());
  EXPECT_FALSE(check(two, two, {0, 2, 1, 2}).ok());
  EXPECT_FALSE(check(two, two, {0, -2147483647, 2}).ok());
}

TEST(CheckBatch, RefusesSequencesBeyondThePositions) {
  EXPECT_EQ(check({0, 0, 0, 0}, {0, 0, 0, 0}, {0, 4}).code(), StatusCode::too_long);
}

// The session checks what the kernels take for granted.
TEST(Session, RefusesWhatDoesNotFit) {
  const GoldenCase golden("silu_odd");
  Runner runner(golden, Level::portable, 1, {8, 2});
  const auto status_of = [&](const std::vector<Tokens>& sequences) {
    const PackedTokens tokens = packed(sequences);
    return runner.session.run(tokens.batch(), {}).code();
  };
  EXPECT_EQ(status_of({golden.input(8)}), StatusCode::ok);
  EXPECT_EQ(status_of({golden.input(5), golden.input(3)}), StatusCode::ok);
  EXPECT_EQ(status_of({golden.input(8), golden.input(1)}), StatusCode::invalid_argument);
  EXPECT_EQ(status_of({golden.input(1), golden.input(1), golden.input(1)}), StatusCode::invalid_argument);
  EXPECT_EQ(status_of({Tokens{{31}, {0}}}), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace quire::test
