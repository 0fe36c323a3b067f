// SPDX-License-Identifier: Apache-2.0
//
// The forward pass against transformers in double precision, at every level this CPU has.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/golden_case.h"

namespace quire::test {
namespace {

using engine::PoolingKind;

// Of outputs that are about 1 (layer norm) after at most three layers.
constexpr float kTolerance = 5e-6f;

constexpr std::pair<const char*, PoolingKind> kPoolings[] = {{"mean", PoolingKind::mean},
                                                             {"cls", PoolingKind::cls},
                                                             {"max", PoolingKind::max},
                                                             {"first_last", PoolingKind::first_last}};

float largest_difference(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return INFINITY;
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float difference = std::abs(a[i] - b[i]);
    if (!(difference <= most)) most = difference;  // NaN stays
  }
  return most;
}

class Golden : public testing::TestWithParam<std::tuple<const char*, Level>> {
 protected:
  GoldenCase golden_{std::get<0>(GetParam())};
  Level level_ = std::get<1>(GetParam());
};

TEST_P(Golden, EveryLengthAlone) {
  Runner runner(golden_, level_, 1, {golden_.spec().max_tokens, 1});
  for (Index length : golden_.lengths()) {
    const PackedTokens tokens = packed({golden_.input(length)});
    for (const auto& [name, kind] : kPoolings) {
      ASSERT_TRUE(runner.session.run(tokens.batch(), {kind, false}).ok());
      const auto expected = golden_.floats(std::string(name) + "." + std::to_string(length));
      EXPECT_LE(largest_difference(runner.vector(0), expected), kTolerance) << name << " of " << length << " tokens";
    }
  }
}

TEST_P(Golden, EveryRowOfTheLastLayer) {
  Runner runner(golden_, level_, 1, {37, 1});
  const PackedTokens tokens = packed({golden_.input(37)});
  ASSERT_TRUE(runner.session.run(tokens.batch(), {}).ok());
  const auto expected = golden_.floats("hidden.37");
  const auto hidden = runner.session.hidden();
  for (Index row = 0; row < 37; ++row) {
    const auto cols = static_cast<std::size_t>(hidden.cols);
    const std::span<const float> want(expected.data() + static_cast<std::size_t>(row) * cols, cols);
    EXPECT_LE(largest_difference({hidden.row(row), cols}, want), kTolerance) << "row " << row;
  }
}

// All lengths in one pass, and each one's bits as if it were alone; backwards with two threads, too.
TEST_P(Golden, PackedAndThreadedGivesEqualBits) {
  const std::vector<Index> lengths = golden_.lengths();
  std::vector<Tokens> inputs;
  Index total = 0;
  for (Index length : lengths) {
    inputs.push_back(golden_.input(length));
    total += length;
  }
  const engine::Capacity capacity{total, static_cast<Index>(lengths.size())};
  for (const auto& [name, kind] : kPoolings) {
    const engine::PoolingRequest request{kind, true};
    Runner alone(golden_, level_, 1, {golden_.spec().max_tokens, 1});
    std::vector<std::vector<float>> expected;
    for (const Tokens& input : inputs) {
      const PackedTokens one = packed({input});
      ASSERT_TRUE(alone.session.run(one.batch(), request).ok());
      expected.push_back(alone.vector(0));
    }
    for (int threads : {1, 2}) {
      Runner together(golden_, level_, threads, capacity);
      std::vector<Tokens> backwards(inputs.rbegin(), inputs.rend());
      const PackedTokens forward_order = packed(inputs), backward_order = packed(backwards);
      ASSERT_TRUE(together.session.run(forward_order.batch(), request).ok());
      for (std::size_t s = 0; s < inputs.size(); ++s)
        EXPECT_EQ(together.vector(static_cast<Index>(s)), expected[s]) << name << ", " << lengths[s] << " tokens";
      ASSERT_TRUE(together.session.run(backward_order.batch(), request).ok());
      for (std::size_t s = 0; s < inputs.size(); ++s)
        EXPECT_EQ(together.vector(static_cast<Index>(inputs.size() - 1 - s)), expected[s])
            << name << " backwards, " << lengths[s] << " tokens";
    }
  }
}

TEST_P(Golden, NormalizedVectorsHaveLengthOne) {
  Runner runner(golden_, level_, 1, {5, 1});
  const PackedTokens tokens = packed({golden_.input(5)});
  ASSERT_TRUE(runner.session.run(tokens.batch(), {PoolingKind::mean, true}).ok());
  double squares = 0;
  for (float x : runner.vector(0)) squares += static_cast<double>(x) * x;
  EXPECT_NEAR(squares, 1.0, 1e-6);
}

std::string case_name(const testing::TestParamInfo<std::tuple<const char*, Level>>& info) {
  return std::string(std::get<0>(info.param)) + "_" + std::string(to_string(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(Bert, Golden,
                         testing::Combine(testing::ValuesIn(kGoldenCases), testing::ValuesIn(runnable_levels())),
                         case_name);

// A level that this CPU lacks is named, never passed in silence.
TEST(GoldenLevels, ReportWhatIsNotRunHere) {
  for (const auto& entry : kernels::gemm_f32_kernels())
    if (!choose_levels(to_string(entry.level)).ok())
      std::printf("not run here: golden tests at %s\n", std::string(to_string(entry.level)).c_str());
  EXPECT_FALSE(runnable_levels().empty());
}

}  // namespace
}  // namespace quire::test
