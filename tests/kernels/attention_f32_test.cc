// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention_f32.h"

#include <cmath>
#include <limits>

#include "tests/kernels/attention_problem.h"
#include "tests/support/bits.h"
#include "tests/support/kernel_levels.h"
#include "tests/support/pools.h"
#include "tests/support/sizes.h"

namespace quire::test {
namespace {

using kernels::AttentionF32Args;
using kernels::PackedHead;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class AttentionF32 : public KernelTest<kernels::AttentionF32> {
 protected:
  void expect_near_reference(const AttentionCase& what) const {
    const auto pool = pool_of(2);
    const AttentionProblem problem(kernel(), what);
    problem.run(*pool);
    for (Index s = 0; s < problem.sequences(); ++s) {
      const auto want = problem.reference(s);
      const auto got = problem.out_of(s);
      for (Index r = 0; r < got.rows; ++r)
        for (Index c = 0; c < got.cols; ++c)
          ASSERT_NEAR(got.row(r)[c], want.out.at(r, c), want.bound.at(r, c))
              << what << " sequence " << s << " at " << r << ", " << c;
    }
    ASSERT_TRUE(problem.intact()) << what;
  }
};

TEST_P(AttentionF32, EveryLength) {
  for (Index length : edge_sizes(513))
    expect_near_reference({.lengths = {length},
                           .heads = 1,
                           .kv_heads = 1,
                           .head_dim = 16,
                           .edge = length % 2 == 0 ? Edge::front : Edge::back,
                           .gap = length % 3});
}

TEST_P(AttentionF32, EveryHeadSize) {
  for (Index dim : edge_sizes(130))
    expect_near_reference({.lengths = {19, 1, 34},
                           .heads = 2,
                           .kv_heads = 2,
                           .head_dim = dim,
                           .edge = dim % 2 == 0 ? Edge::back : Edge::front,
                           .gap = dim % 4});
}

// Several blocks of keys: 512 and 1024 are whole ones.
TEST_P(AttentionF32, LongSequences) {
  for (Index length : many_or_few(std::vector<Index>{512, 1023, 1024, 1030, 1537}, std::vector<Index>{513}))
    expect_near_reference({.lengths = {3, length}, .heads = 1, .kv_heads = 1, .head_dim = 8});
}

TEST_P(AttentionF32, HeadsThatShareKeys) {
  for (Index kv_heads : {1, 2, 3, 6})
    expect_near_reference({.lengths = {5, 40, 17}, .heads = 6, .kv_heads = kv_heads, .head_dim = 20});
}

TEST_P(AttentionF32, ManySequencesOfAllLengths) {
  std::vector<Index> lengths;
  for (Index length = 0; length <= 36; length += many_or_few(1, 3)) lengths.push_back(length * 7 % 37);  // one is 0
  expect_near_reference({.lengths = lengths, .heads = 3, .kv_heads = 3, .head_dim = 32});
}

TEST_P(AttentionF32, OneTokenSeesItselfOnly) {
  const AttentionProblem problem(kernel(), {.lengths = {1, 1}, .heads = 2, .kv_heads = 2, .head_dim = 37, .size = 50});
  problem.run(*pool_of(1));
  for (Index t : {0, 1}) EXPECT_TRUE(same_bits(problem.out().row(t), problem.v(t), problem.q_width())) << t;
}

TEST_P(AttentionF32, EqualScoresGiveTheMean) {
  const AttentionProblem problem(kernel(), {.lengths = {130}, .heads = 1, .kv_heads = 1, .head_dim = 24});
  for (Index t = 0; t < 130; ++t) std::copy_n(problem.k(0), 24, problem.k(t));
  problem.run(*pool_of(1));
  const auto mean = reference::pool_mean({problem.v(0), 130, 24, problem.qkv().stride()}, 0, 130);
  for (Index t = 0; t < 130; ++t)
    for (Index c = 0; c < 24; ++c) ASSERT_NEAR(problem.out().row(t)[c], mean.at(0, c), sum_bound(130, 1) + 4 * kUnit);
}

// exp(score) would overflow from 89 on; exp(score - largest) may not.
TEST_P(AttentionF32, LargeScores) {
  for (float size : {10.0f, 100.0f})
    expect_near_reference({.lengths = {many_or_few(70, 20), 13}, .head_dim = 48, .size = size});
}

// One key's score is larger than all others by more than exp can express: its value is the result, whatever the size.
TEST_P(AttentionF32, TheOnlyScoreThatCountsTakesAll) {
  const Index n = many_or_few(600, 30);
  for (float size : {20.0f, 1e3f, 1e6f, 1e12f, 1e18f})
    for (Index place : many_or_few(std::vector<Index>{0, 7, 511, 512, 599}, std::vector<Index>{0, 7, 29})) {
      const AttentionProblem problem(kernel(), {.lengths = {n}, .heads = 1, .kv_heads = 1, .head_dim = 12});
      for (Index t = 0; t < n; ++t)
        for (Index c = 0; c < 12; ++c) {
          problem.q(t)[c] = size;
          problem.k(t)[c] = t == place ? size : -size;
        }
      problem.run(*pool_of(1));
      for (Index t : {Index{0}, Index{13}, n - 1})
        EXPECT_TRUE(same_bits(problem.out().row(t), problem.v(place), 12)) << size << " at " << place << ", row " << t;
    }
}

// The largest score comes later and later, so that every block of keys rescales what was summed.
TEST_P(AttentionF32, RisingScores) {
  const Index n = many_or_few(1100, 514);
  const AttentionProblem problem(kernel(), {.lengths = {n}, .heads = 1, .kv_heads = 1, .head_dim = 4});
  for (Index t = 0; t < n; ++t)
    for (Index c = 0; c < 4; ++c) {
      problem.q(t)[c] = 1;
      problem.k(t)[c] = static_cast<float>(t) / 200;
    }
  problem.run(*pool_of(2));
  const auto want = problem.reference(0);
  for (Index t = 0; t < n; ++t)
    for (Index c = 0; c < 4; ++c) ASSERT_NEAR(problem.out().row(t)[c], want.out.at(t, c), want.bound.at(t, c)) << t;
}

TEST_P(AttentionF32, ThreadsDoNotChangeBits) {
  const AttentionCase what{
      .lengths = {1, many_or_few(200, 65), 61, 3, many_or_few(90, 20)}, .heads = 3, .kv_heads = 3, .head_dim = 40};
  const AttentionProblem one(kernel(), what);
  one.run(*pool_of(1));
  for (int threads : {2, 3, 5}) {
    const AttentionProblem several(kernel(), what);
    several.run(*pool_of(threads));
    EXPECT_TRUE(same_bits(one.out().view(), several.out().view())) << threads << " threads";
    EXPECT_TRUE(several.intact());
  }
}

TEST_P(AttentionF32, ASequenceAloneHasItsBitsInABatch) {
  const AttentionProblem batch(
      kernel(), {.lengths = {5, 70, 1, many_or_few(530, 30), 16}, .heads = 2, .kv_heads = 1, .head_dim = 24});
  batch.run(*pool_of(2));
  for (Index s = 0; s < batch.sequences(); ++s) {
    const AttentionProblem alone(kernel(), {.lengths = {batch.length(s)}, .heads = 2, .kv_heads = 1, .head_dim = 24});
    for (Index t = 0; t < batch.length(s); ++t)
      std::copy_n(batch.q(batch.start(s) + t), alone.qkv().cols(), alone.q(t));
    alone.run(*pool_of(1));
    EXPECT_TRUE(same_bits(alone.out_of(0), batch.out_of(s))) << "sequence " << s;
  }
}

// Sequences need not begin at the first row: a part of a batch is a batch.
TEST_P(AttentionF32, OffsetsMayStartAnywhere) {
  const AttentionProblem batch(kernel(), {.lengths = {7, 21, 30}}), part(kernel(), {.lengths = {7, 21, 30}});
  batch.run(*pool_of(2));
  AttentionF32Args args = part.args();
  args.cu_seqlens = args.cu_seqlens.subspan(1);
  const GuardedBuffer<float> workspace(kernels::attention_workspace(kernel(), part.shape(), 51, 2, 2), Edge::back,
                                       kAlignment);
  args.workspace = workspace.data();
  kernels::attention(kernel(), args, *pool_of(2));
  EXPECT_TRUE(same_bits(part.out_of(1), batch.out_of(1)));
  EXPECT_TRUE(same_bits(part.out_of(2), batch.out_of(2)));
  for (Index c = 0; c < part.q_width(); ++c) EXPECT_EQ(part.out().row(6)[c], part.out().row(0)[0]);  // as it was
  EXPECT_TRUE(workspace.intact());
}

// attend() by whole heads and by single rows: the same bits.
TEST_P(AttentionF32, AnyCutIntoRowsIsTheSame) {
  const Index n = 75, d = 20;
  const AttentionCase what{.lengths = {n}, .heads = 1, .kv_heads = 1, .head_dim = d};
  const AttentionProblem whole(kernel(), what), cut(kernel(), what);
  whole.run(*pool_of(1));
  const Index stride = round_up(d, kernel().lanes);
  const GuardedBuffer<float> keys(round_up(n, kernel().key_panel) * d, Edge::back, kAlignment);
  const GuardedBuffer<float> values(n * stride, Edge::back, kAlignment);
  const GuardedBuffer<float> scratch(kernel().rows * (kernels::kScoreStride + stride), Edge::back, kAlignment);
  const PackedHead head{keys.data(), values.data(), n};
  kernel().pack(cut.args(), 0, 0, head);
  for (Index row = 0, rows = 1; row < n; row += rows, rows = rows % 16 + 1)
    kernel().attend(cut.args(), row, std::min(n, row + rows), 0, head, scratch.data());
  EXPECT_TRUE(same_bits(whole.out().view(), cut.out().view()));
  EXPECT_TRUE(keys.intact() && values.intact() && scratch.intact() && cut.intact());
}

TEST_P(AttentionF32, NanStaysWithTheRowsThatSeeIt) {
  const AttentionCase what{.lengths = {9, 40, 9}, .heads = 2, .kv_heads = 2, .head_dim = 16};
  for (Index place : {9, 25, 48}) {  // in the middle sequence
    const AttentionProblem query(kernel(), what), key(kernel(), what), value(kernel(), what);
    query.q(place)[3] = kNan;     // row `place`, head 0
    key.k(place)[16 + 5] = kNan;  // every row of the sequence, head 1
    value.v(place)[2] = kNan;     // every row of the sequence, column 2
    for (const AttentionProblem* problem : {&query, &key, &value}) problem->run(*pool_of(2));
    for (Index t = 0; t < 58; ++t)
      for (Index c = 0; c < 32; ++c) {
        const bool sees = t >= 9 && t < 49;
        ASSERT_EQ(std::isnan(query.out().row(t)[c]), t == place && c < 16) << place << ": " << t << ", " << c;
        ASSERT_EQ(std::isnan(key.out().row(t)[c]), sees && c >= 16) << place << ": " << t << ", " << c;
        ASSERT_EQ(std::isnan(value.out().row(t)[c]), sees && c == 2) << place << ": " << t << ", " << c;
      }
  }
}

TEST_P(AttentionF32, InfiniteValuesPass) {
  const AttentionProblem problem(kernel(), {.lengths = {20}, .heads = 1, .kv_heads = 1, .head_dim = 16});
  problem.v(11)[9] = -kInfinity;
  problem.run(*pool_of(1));
  for (Index t = 0; t < 20; ++t)
    for (Index c = 0; c < 16; ++c) EXPECT_EQ(problem.out().row(t)[c] == -kInfinity, c == 9) << t << ", " << c;
}

TEST_P(AttentionF32, NoTokensTouchNothing) {
  const AttentionProblem problem(kernel(), {.lengths = {0, 0}});
  problem.run(*pool_of(2));
  EXPECT_TRUE(problem.intact());
}

QUIRE_FOR_EACH_ENTRY(AttentionF32, kernels::AttentionF32, kernels::attention_f32_kernels());

}  // namespace
}  // namespace quire::test
