// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_f32.h"

#include <cmath>
#include <limits>

#include "tests/kernels/gemm_problem.h"
#include "tests/support/bits.h"
#include "tests/support/kernel_levels.h"
#include "tests/support/pools.h"
#include "tests/support/sizes.h"
#include "tests/support/tolerance.h"

namespace quire::test {
namespace {

using kernels::Activation;
using kernels::GemmF32Args;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Activation kActivations[] = {Activation::none,      Activation::relu, Activation::gelu_erf,
                                       Activation::gelu_tanh, Activation::silu, Activation::tanh};

// One dimension at each edge size while the others stay small, then all three mixed.
std::vector<GemmShape> shapes() {
  std::vector<GemmShape> found;
  Random random(7);
  const auto add = [&](Index m, Index n, Index k) {
    found.push_back({.m = m,
                     .n = n,
                     .k = k,
                     .activation = Activation::none,
                     .bias = random.flip(),
                     .residual = static_cast<Residual>(random.below(3)),
                     .edge = random.flip() ? Edge::front : Edge::back,
                     .gap = random.below(3) * random.below(9)});
  };
  const auto sizes = edge_sizes(513);
  for (Index size : sizes) {
    add(size, 35, 9);
    add(5, size, 17);
    add(15, 33, size);
  }
  const auto any = [&] { return sizes[static_cast<std::size_t>(random.below(static_cast<Index>(sizes.size())))]; };
  const Index most = many_or_few<Index>(4'000'000, 40'000);
  for (int i = many_or_few(60, 12); i > 0;)
    if (const Index m = any(), n = any(), k = any(); m * n * k <= most) {
      add(m, n, k);
      --i;
    }
  // Three stretches of k, over several blocks of columns and of rows.
  if (!small_sizes()) add(131, 290, 1537);
  return found;
}

class GemmF32 : public KernelTest<kernels::GemmF32> {
 protected:
  // C[r][c] in the order the header promises: ascending k, one accumulator, then bias, then residual.
  float promised(const GemmProblem& problem, Index r, Index c) const {
    const GemmF32Args args = problem.args();
    const float *a = problem.a().row(r), *w = problem.w().row(c);
    const bool fused = GetParam().level != Level::portable;
    float sum = 0;
    for (Index k = 0; k < args.k; ++k) {
      const float product = a[k] * w[k];
      sum = fused ? std::fma(a[k], w[k], sum) : sum + product;
    }
    if (args.bias != nullptr) sum += args.bias[c];
    return args.residual == nullptr ? sum : sum + problem.residual().row(r)[c];
  }

  void expect_near_reference(const GemmProblem& problem) const {
    const reference::GemmResult want = problem.reference();
    const GemmShape& shape = problem.shape();
    for (Index r = 0; r < shape.m; ++r)
      for (Index c = 0; c < shape.n; ++c) {
        const double bound = gemm_bound(shape.k, shape.activation, want.magnitude.at(r, c), want.c.at(r, c));
        ASSERT_NEAR(problem.c().row(r)[c], want.c.at(r, c), bound) << shape << " at " << r << ", " << c;
      }
  }
};

TEST_P(GemmF32, SumsInThePromisedOrder) {
  const auto pool = pool_of(2);
  for (const GemmShape& shape : shapes()) {
    const GemmProblem problem(kernel(), shape);
    problem.run(*pool);
    for (Index r = 0; r < shape.m; ++r)
      for (Index c = 0; c < shape.n; ++c)
        ASSERT_TRUE(same_bits(problem.c().row(r)[c], promised(problem, r, c))) << shape << " at " << r << ", " << c;
    ASSERT_TRUE(problem.intact()) << shape;
  }
}

TEST_P(GemmF32, IsWithinItsBoundOfTheReference) {
  const auto pool = pool_of(2);
  int turn = 0;
  for (GemmShape shape : shapes()) {
    shape.activation = kActivations[turn++ % 6];
    const GemmProblem problem(kernel(), shape);
    problem.run(*pool);
    expect_near_reference(problem);
    ASSERT_TRUE(problem.intact()) << shape;
  }
}

TEST_P(GemmF32, EveryEpilogue) {
  const auto pool = pool_of(1);
  for (Activation activation : kActivations)
    for (bool bias : {false, true})
      for (Residual residual : {Residual::none, Residual::apart, Residual::in_place})
        for (Index n : {Index{16}, Index{37}}) {
          const GemmProblem problem(kernel(), {7, n, 20, activation, bias, residual, Edge::back, 3});
          for (Index c = 0; c < n; ++c) problem.bias()[c] *= 4;  // into the bends of the activations
          problem.run(*pool);
          expect_near_reference(problem);
          EXPECT_TRUE(problem.intact()) << problem.shape();
        }
}

TEST_P(GemmF32, ResidualInPlaceOrApartIsTheSame) {
  const auto pool = pool_of(2);
  GemmShape shape{45, 67, 530, Activation::gelu_erf, true, Residual::apart};
  const GemmProblem apart(kernel(), shape);
  shape.residual = Residual::in_place;
  const GemmProblem in_place(kernel(), shape);
  apart.run(*pool);
  in_place.run(*pool);
  EXPECT_TRUE(same_bits(apart.c().view(), in_place.c().view()));
}

TEST_P(GemmF32, NoProductsLeaveBiasAndResidual) {
  const auto pool = pool_of(1);
  const GemmProblem problem(kernel(), {5, 19, 0, Activation::relu, true, Residual::apart});
  problem.run(*pool);
  for (Index r = 0; r < 5; ++r)
    for (Index c = 0; c < 19; ++c)
      EXPECT_EQ(problem.c().row(r)[c], std::max(problem.bias()[c], 0.0f) + problem.residual().row(r)[c]);
}

TEST_P(GemmF32, EmptyProductsTouchNothing) {
  const auto pool = pool_of(2);
  const GemmProblem no_rows(kernel(), {0, 19, 8}), no_columns(kernel(), {5, 0, 8, Activation::none, false, {}, {}, 4});
  no_rows.run(*pool);
  no_columns.run(*pool);
  EXPECT_TRUE(no_rows.intact());
  EXPECT_TRUE(no_columns.intact());
}

// Bits depend on neither threads, nor M, nor the row's place, nor N.
TEST_P(GemmF32, ThreadsDoNotChangeBits) {
  const GemmShape shape{131, 261, many_or_few<Index>(700, 40), Activation::gelu_tanh, true, Residual::apart};
  const GemmProblem one(kernel(), shape);
  one.run(*pool_of(1));
  for (int threads : {2, 3, 5}) {
    const GemmProblem several(kernel(), shape);
    several.run(*pool_of(threads));
    EXPECT_TRUE(same_bits(one.c().view(), several.c().view())) << threads << " threads";
  }
}

TEST_P(GemmF32, RowsAloneHaveTheBitsOfRowsTogether) {
  const auto pool = pool_of(2);
  const GemmProblem problem(kernel(), {61, 70, 600, Activation::gelu_erf, true});
  problem.run(*pool);
  for (Index row : {0, 1, 13, 14, 30, 59, 60})
    for (Index rows : {1, 2, 5}) {
      if (row + rows > 61) continue;
      GemmF32Args args = problem.args();
      const GuardedMatrix c(rows, 70, 70);
      args.a = problem.a().row(row);
      args.m = rows;
      args.c = c.data();
      args.ldc = c.stride();
      kernels::gemm(kernel(), args, *pool);
      EXPECT_TRUE(same_bits(c.view(), {problem.c().row(row), rows, 70, problem.c().stride()})) << row << ", " << rows;
    }
}

TEST_P(GemmF32, ColumnsAloneHaveTheBitsOfColumnsTogether) {
  const auto pool = pool_of(1);
  const GemmProblem problem(kernel(), {9, 200, 33});
  problem.run(*pool);
  for (Index columns : {1, 8, 17, 129}) {
    const GuardedBuffer<float> packed(kernels::packed_size(kernel(), columns, 33), Edge::back, kAlignment);
    kernels::pack(kernel(), problem.w().data(), problem.w().stride(), columns, 33, 0, columns, packed.data());
    GemmF32Args args = problem.args();
    const GuardedMatrix c(9, columns, columns);
    args.packed_w = packed.data();
    args.n = columns;
    args.c = c.data();
    args.ldc = c.stride();
    kernels::gemm(kernel(), args, *pool);
    EXPECT_TRUE(same_bits(c.view(), problem.c().view())) << columns;
  }
}

// A block writes its own part of C only, and any cut into blocks gives the same bits.
TEST_P(GemmF32, AnyCutIntoBlocksIsTheSame) {
  const auto pool = pool_of(1);
  const GemmShape shape{50, 3 * kernel().nr + 5, 515, Activation::tanh, true, Residual::apart, Edge::back, 2};
  const GemmProblem whole(kernel(), shape), cut(kernel(), shape);
  whole.run(*pool);
  const Index row_cuts[] = {0, 1, 8, 31, 50}, panel_cuts[] = {0, 2, 3, 4};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      kernel().block(cut.args(), row_cuts[i], row_cuts[i + 1], panel_cuts[j], panel_cuts[j + 1]);
  EXPECT_TRUE(same_bits(whole.c().view(), cut.c().view()));

  const GemmProblem part(kernel(), shape);
  const float before = part.c().row(0)[0];
  kernel().block(part.args(), 8, 31, 2, 3);
  for (Index r = 0; r < shape.m; ++r)
    for (Index c = 0; c < shape.n; ++c) {
      const bool inside = r >= 8 && r < 31 && c >= 2 * kernel().nr && c < 3 * kernel().nr;
      ASSERT_TRUE(same_bits(part.c().row(r)[c], inside ? whole.c().row(r)[c] : before)) << r << ", " << c;
    }
}

// The layout that the header describes, also when the columns come in pieces.
TEST_P(GemmF32, PackedLayout) {
  const Index nr = kernel().nr;
  for (Index n : edge_sizes(65)) {
    const Index k = 5;
    const GuardedMatrix w(n, k, k + 3);
    Random random(3);
    w.fill([&] { return random.symmetric(); });
    const GuardedBuffer<float> packed(kernels::packed_size(kernel(), n, k), Edge::back, kAlignment);
    ASSERT_EQ(packed.size(), (n + nr - 1) / nr * nr * k);
    for (Index first = 0, count = 0; first < n; first += count) {
      count = std::min(n - first, random.between(1, 20));
      kernels::pack(kernel(), w.row(first), w.stride(), count, k, first, n, packed.data());
    }
    for (Index i = 0; i < packed.size(); ++i) {
      const Index column = i / (nr * k) * nr + i % nr, step = i / nr % k;
      ASSERT_EQ(packed[i], column < n ? w.row(column)[step] : 0.0f) << n << " columns, element " << i;
    }
    EXPECT_TRUE(packed.intact());
  }
}

// A NaN or infinity goes where the formula takes it and nowhere else.
TEST_P(GemmF32, NanAndInfinityPass) {
  const auto pool = pool_of(2);
  for (Activation activation : kActivations) {
    GemmProblem problem(kernel(), {20, 41, 530, activation});
    problem.a().row(3)[529] = kNan;
    problem.a().row(17)[0] = kInfinity;
    problem.w().row(40)[7] = kNan;
    problem.w().row(5)[0] = 0;  // infinity times 0
    problem.pack();
    problem.run(*pool);
    const auto c = [&](Index row, Index column) { return problem.c().row(row)[column]; };
    for (Index r = 0; r < 20; ++r)
      for (Index n = 0; n < 41; ++n) {
        const bool nan = r == 3 || n == 40 || (r == 17 && n == 5);
        // What an activation makes of minus infinity is its own matter: x times 0 in most.
        if (r == 17 && activation != Activation::none) continue;
        ASSERT_EQ(std::isnan(c(r, n)), nan) << r << ", " << n << " activation " << static_cast<int>(activation);
        ASSERT_EQ(std::isinf(c(r, n)), r == 17 && !nan) << r << ", " << n;
      }
  }
}

TEST_P(GemmF32, DenormalsCount) {
  const auto pool = pool_of(1);
  GemmProblem problem(kernel(), {3, 21, 4});
  problem.a().fill([] { return 0x1p-140f; });
  problem.w().fill([] { return 0.5f; });
  problem.pack();
  problem.run(*pool);
  for (Index r = 0; r < 3; ++r)
    for (Index c = 0; c < 21; ++c) EXPECT_EQ(problem.c().row(r)[c], 0x1p-139f);
}

QUIRE_FOR_EACH_ENTRY(GemmF32, kernels::GemmF32, kernels::gemm_f32_kernels());

// Selection is a function of the levels alone, so it can be asked about CPUs that are not here.
TEST(GemmF32Selection, TakesTheBestLevelThatMayRun) {
  const auto list = kernels::gemm_f32_kernels();
  for (const auto& entry : list) EXPECT_EQ(kernels::select(list, LevelSet().with(entry.level)).name, entry.name);
  EXPECT_EQ(kernels::select(list, LevelSet()).level, Level::portable);
#if defined(__x86_64__)
  EXPECT_EQ(kernels::select(list, LevelSet().with(Level::avx2)).name, "gemm_f32_avx2");
  EXPECT_EQ(kernels::select(list, LevelSet().with(Level::avx2).with(Level::avx512)).name, "gemm_f32_avx512");
  EXPECT_EQ(kernels::select(list, LevelSet().with(Level::avx2).with(Level::avxvnni)).name, "gemm_f32_avx2");
#endif
}

}  // namespace
}  // namespace quire::test
