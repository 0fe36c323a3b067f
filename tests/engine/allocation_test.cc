// SPDX-License-Identifier: Apache-2.0
//
// A forward pass allocates nothing.
#include <gtest/gtest.h>

#include <new>

#include "base/aligned_memory.h"
#include "tests/engine/counting_heap.h"
#include "tests/engine/golden_case.h"

namespace quire::test {
namespace {

TEST(CountedHeap, Counts) {
  CountedHeap aligned;
  const auto buffer = AlignedBuffer::allocate(64);
  EXPECT_GE(aligned.stop(), 1);
  if (!kWholeHeapCounted) return;
  CountedHeap ordinary;
  void* data = ::operator new(40);  // by its name: a new expression that nobody needs may be left out
  const long by_new = ordinary.stop();
  ::operator delete(data);
  EXPECT_EQ(by_new, 1);
}

class Allocation : public testing::TestWithParam<Level> {};

TEST_P(Allocation, ForwardPassesAllocateNothing) {
  for (const char* name : kGoldenCases) {
    const GoldenCase golden(name);
    const Tokens longest = golden.input(golden.lengths().back()), shorter = golden.input(17);
    const PackedTokens one = packed({longest}), many = packed({shorter, golden.input(1), golden.input(5)});
    for (int threads : {1, 2}) {
      Runner runner(golden, GetParam(), threads, {golden.spec().max_tokens, 3});
      for (auto kind : {engine::PoolingKind::mean, engine::PoolingKind::cls, engine::PoolingKind::max,
                        engine::PoolingKind::first_last}) {
        CountedHeap counted;
        const bool ok =
            runner.session.run(one.batch(), {kind, true}).ok() && runner.session.run(many.batch(), {kind, false}).ok();
        const long calls = counted.stop();
        EXPECT_TRUE(ok) << name;
        EXPECT_EQ(calls, 0) << name << ", " << threads << " threads";
      }
    }
  }
}

std::string level_name(const testing::TestParamInfo<Level>& info) { return std::string(to_string(info.param)); }

INSTANTIATE_TEST_SUITE_P(Levels, Allocation, testing::ValuesIn(runnable_levels()), level_name);

}  // namespace
}  // namespace quire::test
