// SPDX-License-Identifier: Apache-2.0
#include "kernels/embed/embed.h"

#include <vector>

#include "tests/reference/reference.h"
#include "tests/support/bits.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/kernel_levels.h"
#include "tests/support/random.h"
#include "tests/support/sizes.h"
#include "tests/support/tolerance.h"

namespace quire::test {
namespace {

using kernels::EmbedArgs;
using kernels::EmbedFn;

constexpr Index kWords = 23, kPositions = 11, kTypes = 2;

// Dense tables between forbidden pages, indices that meet their first and last entries.
struct Problem {
  Problem(Index rows, Index cols, Edge edge = Edge::back, Index gap = 0)
      : word(kWords, cols, cols, edge),
        position(kPositions, cols, cols, edge),
        type(kTypes, cols, cols, edge),
        out(rows, cols, cols + gap, edge),
        ids(rows, edge),
        positions(rows, edge),
        types(rows, edge) {
    Random random(static_cast<std::uint64_t>(cols));
    for (const GuardedMatrix* table : {&word, &position, &type}) table->fill([&] { return random.symmetric(); });
    const auto indices = [&](const GuardedBuffer<std::int32_t>& to, Index entries) {
      for (Index t = 0; t < rows; ++t)
        to[t] = static_cast<std::int32_t>(t == 0 ? entries - 1 : t == 1 ? 0 : random.below(entries));
    };
    indices(ids, kWords);
    indices(positions, kPositions);
    indices(types, kTypes);
  }

  EmbedArgs args(bool with_position, bool with_type) const {
    return {.word = word.data(),
            .position = with_position ? position.data() : nullptr,
            .type = with_type ? type.data() : nullptr,
            .ids = ids.data(),
            .positions = with_position ? positions.data() : nullptr,
            .types = with_type ? types.data() : nullptr,
            .out = out.data(),
            .out_stride = out.stride(),
            .rows = out.rows(),
            .cols = out.cols()};
  }

  bool intact() const {
    return word.intact() && position.intact() && type.intact() && out.intact() && ids.intact() && positions.intact() &&
           types.intact();
  }

  GuardedMatrix word, position, type, out;
  GuardedBuffer<std::int32_t> ids, positions, types;
};

class Embed : public KernelTest<EmbedFn> {
 protected:
  // Word, then position, then type: two roundings at most, in this order at every level.
  static float promised(const Problem& problem, Index t, Index c, bool with_position, bool with_type) {
    float sum = problem.word.row(problem.ids[t])[c];
    if (with_position) sum += problem.position.row(problem.positions[t])[c];
    if (with_type) sum += problem.type.row(problem.types[t])[c];
    return sum;
  }
};

TEST_P(Embed, AddsInOrderAtEverySize) {
  for (Index cols : edge_sizes(513))
    for (Edge edge : {Edge::front, Edge::back}) {
      const Problem problem(5, cols, edge, cols % 4);
      kernel()(problem.args(true, true));
      for (Index t = 0; t < 5; ++t)
        for (Index c = 0; c < cols; ++c)
          ASSERT_TRUE(same_bits(problem.out.row(t)[c], promised(problem, t, c, true, true)))
              << cols << ": " << t << ", " << c;
      ASSERT_TRUE(problem.intact()) << cols;
    }
}

TEST_P(Embed, TermsMayBeLeftOut) {
  for (bool with_position : {false, true})
    for (bool with_type : {false, true}) {
      const Problem problem(9, 43);
      kernel()(problem.args(with_position, with_type));
      for (Index t = 0; t < 9; ++t)
        for (Index c = 0; c < 43; ++c)
          EXPECT_TRUE(same_bits(problem.out.row(t)[c], promised(problem, t, c, with_position, with_type)));
    }
}

TEST_P(Embed, IsNearTheReference) {
  const Problem problem(17, 101);
  kernel()(problem.args(true, true));
  const auto indices = [](const GuardedBuffer<std::int32_t>& from) {
    return std::span<const std::int32_t>(from.data(), static_cast<std::size_t>(from.size()));
  };
  const auto want = reference::embed(problem.word.view(), problem.position.view(), problem.type.view(),
                                     indices(problem.ids), indices(problem.positions), indices(problem.types));
  for (Index t = 0; t < 17; ++t)
    for (Index c = 0; c < 101; ++c) EXPECT_NEAR(problem.out.row(t)[c], want.at(t, c), sum_bound(3, 3));
}

TEST_P(Embed, NoTokensTouchNothing) {
  const Problem problem(0, 20);
  kernel()(problem.args(true, true));
  EXPECT_TRUE(problem.intact());
}

QUIRE_FOR_EACH_ENTRY(Embed, EmbedFn, kernels::embed_kernels());

}  // namespace
}  // namespace quire::test
