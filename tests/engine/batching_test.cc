// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/text_encoder/batch_encoder.h"

namespace quire::test {
namespace {

std::vector<std::pair<std::size_t, std::size_t>> cut(const std::vector<Index>& lengths, Index budget, Index sequences) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (const auto& batch : engine::cut_batches(lengths, budget, sequences)) {
    Index tokens = 0;
    for (std::size_t i = batch.begin; i < batch.end; ++i) tokens += lengths[i];
    EXPECT_EQ(batch.tokens, tokens);
    out.emplace_back(batch.begin, batch.end);
  }
  return out;
}

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

TEST(CutBatches, NothingGivesNothing) { EXPECT_EQ(cut({}, 10, 10), Ranges{}); }

TEST(CutBatches, FillsUpToTheBudget) { EXPECT_EQ(cut({5, 5, 4, 3, 3, 1}, 10, 10), (Ranges{{0, 2}, {2, 5}, {5, 6}})); }

TEST(CutBatches, ALengthAboveTheBudgetStandsAlone) {
  EXPECT_EQ(cut({50, 20, 5, 5}, 10, 10), (Ranges{{0, 1}, {1, 2}, {2, 4}}));
}

TEST(CutBatches, KeepsToTheMostSequences) { EXPECT_EQ(cut({1, 1, 1, 1, 1}, 10, 2), (Ranges{{0, 2}, {2, 4}, {4, 5}})); }

}  // namespace
}  // namespace quire::test
