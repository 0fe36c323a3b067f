// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool/pool.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/reference/reference.h"
#include "tests/support/bits.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/kernel_levels.h"
#include "tests/support/random.h"
#include "tests/support/sizes.h"
#include "tests/support/tolerance.h"

namespace quire::test {
namespace {

using kernels::PoolArgs;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Problem {
  Problem(Index rows, Index cols, Edge edge = Edge::back, Index gap = 0)
      : x(rows, cols, cols + gap, edge), out(cols, edge) {
    Random random(static_cast<std::uint64_t>(cols));
    x.fill([&] { return random.symmetric(); });
  }
  PoolArgs args(Index begin, Index end) const {
    return {.x = x.data(), .x_stride = x.stride(), .begin = begin, .end = end, .cols = x.cols(), .out = out.data()};
  }
  PoolArgs all() const { return args(0, x.rows()); }
  bool intact() const { return x.intact() && out.intact(); }

  GuardedMatrix x;
  GuardedBuffer<float> out;
};

class Pool : public KernelTest<kernels::Pool> {};

// Ascending rows, one sum to a column: the same bits at every level.
TEST_P(Pool, MeanSumsInOrderAtEverySize) {
  for (Index cols : edge_sizes(513))
    for (Index rows : {1, 2, 9}) {
      const Problem problem(rows, cols, cols % 2 == 0 ? Edge::front : Edge::back, cols % 5);
      kernel().mean(problem.all());
      for (Index c = 0; c < cols; ++c) {
        float sum = problem.x.row(0)[c];
        for (Index t = 1; t < rows; ++t) sum += problem.x.row(t)[c];
        ASSERT_TRUE(same_bits(problem.out[c], sum / static_cast<float>(rows))) << rows << " x " << cols << ": " << c;
      }
      ASSERT_TRUE(problem.intact()) << rows << " x " << cols;
    }
}

TEST_P(Pool, MeanIsWithinItsBoundOfTheReference) {
  const Problem problem(513, 21);
  kernel().mean(problem.all());
  const auto want = reference::pool_mean(problem.x.view(), 0, 513);
  for (Index c = 0; c < 21; ++c) EXPECT_NEAR(problem.out[c], want.at(0, c), sum_bound(513, 1));
}

TEST_P(Pool, MaxIsExactAtEverySize) {
  for (Index cols : edge_sizes(513))
    for (Index rows : {1, 2, 9}) {
      const Problem problem(rows, cols, cols % 2 == 0 ? Edge::back : Edge::front, cols % 5);
      kernel().max(problem.all());
      const auto want = reference::pool_max(problem.x.view(), 0, rows);
      for (Index c = 0; c < cols; ++c) ASSERT_EQ(problem.out[c], want.at(0, c)) << rows << " x " << cols << ": " << c;
      ASSERT_TRUE(problem.intact()) << rows << " x " << cols;
    }
}

TEST_P(Pool, MaxOfNegativeRowsIsNegative) {
  const Problem problem(3, 37);
  problem.x.fill([value = -1.0f]() mutable { return value -= 1; });
  kernel().max(problem.all());
  for (Index c = 0; c < 37; ++c) EXPECT_EQ(problem.out[c], problem.x.row(0)[c]);
}

// Rows beside the sequence are not its business.
TEST_P(Pool, OnlyTheSequenceCounts) {
  const Problem problem(9, 41);
  problem.x.row(2)[7] = kNan;
  problem.x.row(6)[8] = kInfinity;
  const GuardedMatrix part(3, 41, 41);
  for (Index r = 0; r < 3; ++r) std::copy_n(problem.x.row(3 + r), 41, part.row(r));
  const GuardedBuffer<float> alone(41);
  const PoolArgs alone_args{.x = part.data(), .x_stride = 41, .begin = 0, .end = 3, .cols = 41, .out = alone.data()};
  for (auto function : {kernel().mean, kernel().max, &kernels::pool_cls}) {
    function(problem.args(3, 6));
    function(alone_args);
    EXPECT_TRUE(same_bits(problem.out.data(), alone.data(), 41));
  }
}

TEST_P(Pool, NanShowsInItsColumnOnly) {
  for (Index row : {0, 1, 4})
    for (Index column : {0, 16, 100, 146}) {
      const Problem problem(5, 147);
      problem.x.row(row)[column] = kNan;
      for (auto function : {kernel().mean, kernel().max}) {
        function(problem.all());
        for (Index c = 0; c < 147; ++c) EXPECT_EQ(std::isnan(problem.out[c]), c == column) << row << ", " << column;
      }
    }
}

TEST_P(Pool, MaxTakesInfinities) {
  const Problem problem(4, 19);
  for (Index r = 0; r < 4; ++r) problem.x.row(r)[3] = -kInfinity;
  problem.x.row(2)[18] = kInfinity;
  kernel().max(problem.all());
  EXPECT_EQ(problem.out[3], -kInfinity);
  EXPECT_EQ(problem.out[18], kInfinity);
}

TEST_P(Pool, L2NormalizeIsWithinItsBoundAtEverySize) {
  for (Index cols : edge_sizes(513))
    for (Edge edge : {Edge::front, Edge::back})
      for (float size : {1e-10f, 1.0f, 1e10f}) {
        const GuardedBuffer<float> v(cols, edge);
        Random random(static_cast<std::uint64_t>(cols));
        for (float& value : v) value = random.symmetric(size);
        const auto want = reference::l2_normalize({v.begin(), v.end()});
        kernel().l2_normalize(v.data(), cols);
        for (Index c = 0; c < cols; ++c)
          ASSERT_NEAR(v[c], want.at(0, c), l2_bound(cols, want.at(0, c))) << cols << " of size " << size << ": " << c;
        ASSERT_TRUE(v.intact()) << cols;
      }
}

TEST_P(Pool, L2NormalizeOfZeroIsZero) {
  for (Index cols : edge_sizes(65)) {
    const GuardedBuffer<float> v(cols);
    std::fill_n(v.data(), cols, 0.0f);
    kernel().l2_normalize(v.data(), cols);
    for (float value : v) ASSERT_EQ(value, 0.0f) << cols;
  }
}

// Shorter than 1e-12: divided by that, not by the length.
TEST_P(Pool, L2NormalizeOfAlmostNothingStaysShort) {
  const GuardedBuffer<float> v(21);
  std::fill_n(v.data(), 21, 1e-14f);
  kernel().l2_normalize(v.data(), 21);
  for (float value : v) EXPECT_EQ(value, 1e-14f / 1e-12f);
}

TEST_P(Pool, L2NormalizeShowsNan) {
  for (Index place : {0, 8, 20}) {
    const GuardedBuffer<float> v(21);
    std::fill_n(v.data(), 21, 1.0f);
    v[place] = kNan;
    kernel().l2_normalize(v.data(), 21);
    for (float value : v) EXPECT_TRUE(std::isnan(value)) << place;
  }
}

QUIRE_FOR_EACH_ENTRY(Pool, kernels::Pool, kernels::pool_kernels());

TEST(PoolCls, CopiesTheFirstRow) {
  for (Index cols : edge_sizes(129)) {
    const Problem problem(5, cols, Edge::back, 2);
    kernels::pool_cls(problem.args(2, 4));
    EXPECT_TRUE(same_bits(problem.out.data(), problem.x.row(2), cols));
    EXPECT_TRUE(problem.intact());
  }
}

}  // namespace
}  // namespace quire::test
