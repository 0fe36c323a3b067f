// SPDX-License-Identifier: Apache-2.0
//
// Partial vectors, fused multiply-add and reductions of kernels/simd.
#include <cmath>
#include <limits>

#include "tests/kernels/simd_ops.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/kernel_levels.h"
#include "tests/support/random.h"

namespace quire::test {
namespace {

constexpr Index kMostLanes = 64;

class SimdVector : public KernelTest<SimdOps> {};

TEST_P(SimdVector, LoadPartialReadsNoMore) {
  for (Edge edge : {Edge::front, Edge::back})
    for (Index n = 0; n <= kernel().lanes; ++n) {
      const GuardedBuffer<float> from(n, edge);
      for (Index i = 0; i < n; ++i) from[i] = static_cast<float>(i + 1);
      float lanes[kMostLanes] = {};
      kernel().load_partial(from.data(), lanes, n);
      for (Index i = 0; i < kernel().lanes; ++i)
        EXPECT_EQ(lanes[i], i < n ? static_cast<float>(i + 1) : 0.0f) << "lane " << i << " of " << n;
    }
}

TEST_P(SimdVector, StorePartialWritesNoMore) {
  float lanes[kMostLanes];
  for (Index i = 0; i < kMostLanes; ++i) lanes[i] = static_cast<float>(i + 1);
  for (Edge edge : {Edge::front, Edge::back})
    for (Index n = 0; n <= kernel().lanes; ++n) {
      const GuardedBuffer<float> to(n, edge);
      kernel().store_partial(lanes, to.data(), n);
      for (Index i = 0; i < n; ++i) EXPECT_EQ(to[i], lanes[i]) << "lane " << i << " of " << n;
      EXPECT_TRUE(to.intact()) << n;
    }
}

TEST_P(SimdVector, FirstLanesClearsTheOthers) {
  float lanes[kMostLanes], kept[kMostLanes];
  for (float& lane : lanes) lane = std::numeric_limits<float>::quiet_NaN();
  for (Index n = 0; n <= kernel().lanes; ++n) {
    kernel().first_lanes(lanes, kept, n);
    for (Index i = 0; i < kernel().lanes; ++i) EXPECT_EQ(std::isnan(kept[i]), i < n) << "lane " << i << " of " << n;
  }
}

// The order that reduce.h promises, so the bits too.
TEST_P(SimdVector, ReduceAddFoldsHalves) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    float lanes[kMostLanes], folded[kMostLanes];
    for (Index i = 0; i < kernel().lanes; ++i) folded[i] = lanes[i] = random.symmetric();
    for (Index half = kernel().lanes / 2; half > 0; half /= 2)
      for (Index i = 0; i < half; ++i) folded[i] += folded[i + half];
    EXPECT_EQ(kernel().reduce_add(lanes), folded[0]);
  }
}

TEST_P(SimdVector, ReduceMaxFindsTheLargestInEveryLane) {
  for (Index place = 0; place < kernel().lanes; ++place) {
    float lanes[kMostLanes];
    for (Index i = 0; i < kMostLanes; ++i) lanes[i] = -static_cast<float>(i + 2);
    lanes[place] = -1;
    EXPECT_EQ(kernel().reduce_max(lanes), -1.0f) << "lane " << place;
    lanes[place] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(kernel().reduce_max(lanes))) << "lane " << place;
  }
}

// Products whose low halves matter: fused where the level has FMA, rounded twice where it has not.
TEST_P(SimdVector, FmaIsWhatTheLevelPromises) {
  Random random(2);
  int differ = 0;
  for (int round = 0; round < 1000; ++round) {
    float a[kMostLanes], b[kMostLanes], c[kMostLanes], out[kMostLanes];
    for (Index i = 0; i < kernel().lanes; ++i) {
      a[i] = random.symmetric();
      b[i] = random.symmetric();
      c[i] = -a[i] * b[i];
    }
    kernel().fma(a, b, c, out);
    for (Index i = 0; i < kernel().lanes; ++i) {
      const float fused = std::fma(a[i], b[i], c[i]);
      const float product = a[i] * b[i];
      const float apart = product + c[i];
      differ += fused != apart;
      EXPECT_EQ(out[i], GetParam().level == Level::portable ? apart : fused);
    }
  }
  EXPECT_GT(differ, 100);
}

QUIRE_FOR_EACH_ENTRY(SimdVector, SimdOps, simd_ops());

}  // namespace
}  // namespace quire::test
