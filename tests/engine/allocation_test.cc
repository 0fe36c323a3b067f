// SPDX-License-Identifier: Apache-2.0
//
// A forward pass allocates nothing. This program counts every way to the heap: the C functions, operator new, and
// base/aligned_memory.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "base/aligned_memory.h"
#include "tests/engine/golden_case.h"

namespace {

std::atomic<bool> g_counting{false};
std::atomic<long> g_calls{0};

void count() {
  if (g_counting.load(std::memory_order_relaxed)) g_calls.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

// The sanitizers bring a heap of their own, which must not be taken apart.
#if !defined(__SANITIZE_ADDRESS__)

// The allocator that would have been called without this program's own definitions, whichever is linked.
template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

extern "C" void* malloc(std::size_t bytes) {
  static const auto real = next<void* (*)(std::size_t)>("malloc");
  count();
  return real(bytes);
}

extern "C" void* realloc(void* old, std::size_t bytes) {
  static const auto real = next<void* (*)(void*, std::size_t)>("realloc");
  count();
  return real(old, bytes);
}

void* operator new(std::size_t bytes) {
  count();
  if (void* data = std::malloc(bytes == 0 ? 1 : bytes)) return data;
  throw std::bad_alloc();
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }

#endif

namespace quire::test {
namespace {

class Counted {
 public:
  Counted() : aligned_(allocation_stats().allocations) {
    g_calls = 0;
    g_counting = true;
  }
  long stop() {
    g_counting = false;
    return g_calls + static_cast<long>(allocation_stats().allocations - aligned_);
  }

 private:
  std::uint64_t aligned_;
};

TEST(Allocation, TheCounterCounts) {
  Counted counted;
  const auto buffer = AlignedBuffer::allocate(64);
  EXPECT_GE(counted.stop(), 1);
#if !defined(__SANITIZE_ADDRESS__)
  Counted again;
  std::vector<int> vector(10);
  EXPECT_GE(again.stop(), 1) << vector.size();
#endif
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
        Counted counted;
        const bool ok =
            runner.session.run(one.batch(), {kind, true}).ok() && runner.session.run(many.batch(), {kind, false}).ok();
        const long calls = counted.stop();
        EXPECT_TRUE(ok) << name;
        EXPECT_EQ(calls, 0) << name << ", " << threads << " threads";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Allocation, testing::ValuesIn(runnable_levels()),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace quire::test
