// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm/layer_norm.h"

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

using kernels::LayerNormArgs;
using kernels::LayerNormFn;

constexpr float kEps = 1e-12f;  // BERT's

enum class Output { apart, over_x, over_residual };

// Rows at the edge of a forbidden page, further apart than they are long.
struct Problem {
  Problem(Index rows, Index cols, Edge edge = Edge::back, Index gap = 3)
      : x(rows, cols, cols + gap, edge),
        residual(rows, cols, cols + 2 * gap, edge),
        y(rows, cols, cols + gap / 2, edge),
        gamma(cols, edge),
        beta(cols, edge) {
    Random random(static_cast<std::uint64_t>(cols));
    const auto next = [&] { return random.symmetric(2); };
    x.fill(next);
    residual.fill(next);
    for (float& value : gamma) value = next();
    for (float& value : beta) value = next();
  }

  LayerNormArgs args(bool with_residual, bool with_beta, Output output = Output::apart) const {
    const GuardedMatrix& out = output == Output::over_x ? x : output == Output::over_residual ? residual : y;
    return {.x = x.data(),
            .x_stride = x.stride(),
            .residual = with_residual ? residual.data() : nullptr,
            .residual_stride = residual.stride(),
            .gamma = gamma.data(),
            .beta = with_beta ? beta.data() : nullptr,
            .eps = kEps,
            .y = out.data(),
            .y_stride = out.stride(),
            .rows = x.rows(),
            .cols = x.cols()};
  }

  reference::NormResult reference(bool with_residual, bool with_beta) const {
    return reference::layer_norm(x.view(), with_residual ? residual.view() : reference::View{}, gamma.data(),
                                 with_beta ? beta.data() : nullptr, kEps);
  }

  bool intact() const { return x.intact() && residual.intact() && y.intact() && gamma.intact() && beta.intact(); }

  GuardedMatrix x, residual, y;
  GuardedBuffer<float> gamma, beta;
};

class LayerNorm : public KernelTest<LayerNormFn> {
 protected:
  static void expect_near(const GuardedMatrix& got, const reference::NormResult& want, const char* what) {
    for (Index r = 0; r < got.rows(); ++r)
      for (Index c = 0; c < got.cols(); ++c)
        ASSERT_NEAR(got.row(r)[c], want.y.at(r, c), kLayerNormUnits * kUnit * want.magnitude.at(r, c))
            << what << ", " << got.cols() << " columns, at " << r << ", " << c;
  }

  void expect_near_reference(const Problem& problem, const char* what) const {
    const auto want = problem.reference(true, true);
    kernel()(problem.args(true, true));
    expect_near(problem.y, want, what);
  }
};

TEST_P(LayerNorm, IsWithinItsBoundAtEverySize) {
  for (Index cols : edge_sizes(513))
    for (Edge edge : {Edge::front, Edge::back}) {
      const bool with_residual = cols % 3 != 0, with_beta = cols % 5 != 0;
      const Problem problem(3, cols, edge, cols % 7);
      const auto want = problem.reference(with_residual, with_beta);
      kernel()(problem.args(with_residual, with_beta));
      expect_near(problem.y, want, "random rows");
      ASSERT_TRUE(problem.intact()) << cols;
    }
}

TEST_P(LayerNorm, EveryMixOfTermsAndOutputs) {
  for (bool with_residual : {false, true})
    for (bool with_beta : {false, true})
      for (Output output : {Output::apart, Output::over_x, Output::over_residual}) {
        const Problem apart(4, 53), problem(4, 53);
        const auto want = problem.reference(with_residual, with_beta);
        const LayerNormArgs args = problem.args(with_residual, with_beta, output);
        kernel()(args);
        kernel()(apart.args(with_residual, with_beta));
        EXPECT_TRUE(same_bits({args.y, 4, 53, args.y_stride}, apart.y.view()));
        expect_near(apart.y, want, "mixed");
        EXPECT_TRUE(problem.intact());
      }
}

// The variance of numbers that are near each other and far from 0 must not drown in their mean.
TEST_P(LayerNorm, SurvivesAMeanThatDwarfsTheDeviations) {
  for (Index cols : edge_sizes(385))
    for (float offset : {1e4f, -3e4f, 1e6f}) {
      if (cols == 1) continue;
      const Problem problem(2, cols);
      for (Index r = 0; r < 2; ++r)
        for (Index c = 0; c < cols; ++c) problem.x.row(r)[c] += offset;
      expect_near_reference(problem, "large mean");
    }
}

TEST_P(LayerNorm, RowsOfOneValueGiveBeta) {
  for (Index cols : edge_sizes(130))
    for (float value : {0.0f, 1.0f, -3.5f, 100.0f}) {
      const Problem problem(2, cols);
      problem.x.fill([&] { return value; });
      kernel()(problem.args(false, true));
      for (Index r = 0; r < 2; ++r)
        for (Index c = 0; c < cols; ++c) ASSERT_EQ(problem.y.row(r)[c], problem.beta[c]) << cols << ", " << value;
      kernel()(problem.args(false, false));
      for (Index c = 0; c < cols; ++c) ASSERT_EQ(problem.y.row(1)[c], 0.0f);
    }
}

TEST_P(LayerNorm, OneOutlierInAnyPlace) {
  for (Index cols : {Index{9}, Index{37}, Index{80}})
    for (Index place = 0; place < cols; ++place) {
      const Problem problem(1, cols);
      problem.x.row(0)[place] = 1000;
      expect_near_reference(problem, "outlier");
    }
}

TEST_P(LayerNorm, TinyAndHugeRows) {
  for (float size : {1e-30f, 1e-10f, 1e15f}) {
    const Problem problem(3, 77);
    Random random(5);
    problem.x.fill([&] { return random.symmetric(size); });
    problem.residual.fill([&] { return random.symmetric(size); });
    expect_near_reference(problem, "scaled rows");
  }
}

TEST_P(LayerNorm, RowsAloneHaveTheBitsOfRowsTogether) {
  const Problem problem(9, 389);
  kernel()(problem.args(true, true));
  for (Index row = 0; row < 9; ++row) {
    const GuardedMatrix y(1, 389, 389);
    LayerNormArgs args = problem.args(true, true);
    args.x += row * args.x_stride;
    args.residual += row * args.residual_stride;
    args.y = y.data();
    args.rows = 1;
    kernel()(args);
    EXPECT_TRUE(same_bits(y.data(), problem.y.row(row), 389)) << row;
  }
}

TEST_P(LayerNorm, NanAndInfinityStayInTheirRow) {
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    for (Index place : {0, 15, 16, 36}) {
      const Problem problem(3, 37);
      const auto want = problem.reference(false, true);
      problem.x.row(1)[place] = bad;
      kernel()(problem.args(false, true));
      for (Index c = 0; c < 37; ++c) {
        EXPECT_TRUE(std::isnan(problem.y.row(1)[c])) << bad << " at " << place << ": " << c;
        for (Index r : {0, 2})
          EXPECT_NEAR(problem.y.row(r)[c], want.y.at(r, c), kLayerNormUnits * kUnit * want.magnitude.at(r, c));
      }
    }
}

TEST_P(LayerNorm, NoRowsTouchNothing) {
  const Problem problem(0, 20);
  kernel()(problem.args(true, true));
  EXPECT_TRUE(problem.intact());
}

QUIRE_FOR_EACH_ENTRY(LayerNorm, LayerNormFn, kernels::layer_norm_kernels());

}  // namespace
}  // namespace quire::test
