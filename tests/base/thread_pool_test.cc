// SPDX-License-Identifier: Apache-2.0
#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "base/aligned_memory.h"

namespace quire {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<ThreadPool> make_pool(int threads) { return ThreadPool::create(threads).value(); }

class ThreadPoolOfSize : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolOfSize, testing::Values(1, 2, 3, 8));

TEST_P(ThreadPoolOfSize, RunsEachChunkOnce) {
  const auto pool = make_pool(GetParam());
  EXPECT_EQ(pool->threads(), GetParam());
  for (const Index chunks : {0, 1, 2, 3, 7, 8, 9, 100, 1000}) {
    // Plain ints: what the chunks wrote must be visible after the call, and TSan says if two wrote one.
    std::vector<int> runs(static_cast<std::size_t>(chunks), 0);
    pool->parallel_for(chunks, [&](Index chunk, int worker) {
      ASSERT_GE(worker, 0);
      ASSERT_LT(worker, pool->threads());
      ++runs[static_cast<std::size_t>(chunk)];
    });
    for (const int count : runs) ASSERT_EQ(count, 1) << chunks;
  }
}

TEST_P(ThreadPoolOfSize, NegativeChunksAreNone) {
  const auto pool = make_pool(GetParam());
  pool->parallel_for(-3, [](Index, int) { FAIL(); });
}

TEST_P(ThreadPoolOfSize, WorkersHaveScratchOfTheirOwn) {
  const auto pool = make_pool(GetParam());
  std::vector<Index> sums(static_cast<std::size_t>(GetParam()), 0);
  for (int run = 0; run < 50; ++run) {
    pool->parallel_for(64, [&](Index chunk, int worker) { sums[static_cast<std::size_t>(worker)] += chunk; });
  }
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), Index{0}), 50 * 64 * 63 / 2);
}

TEST_P(ThreadPoolOfSize, ManyShortRunsEachSeeTheOneBefore) {
  const auto pool = make_pool(GetParam());
  constexpr Index kChunks = 8;
  std::vector<int> a(kChunks, 0), b(kChunks, 0);
  constexpr int kRuns = 3000;
  for (int run = 0; run < kRuns; ++run) {
    // Each chunk reads what another one wrote in the run before.
    pool->parallel_for(kChunks, [&](Index i, int) { b[static_cast<std::size_t>(i)] = a[(i + 3) % kChunks] + 1; });
    a.swap(b);
  }
  for (const int value : a) EXPECT_EQ(value, kRuns);
}

TEST_P(ThreadPoolOfSize, ConcurrentCallersTakeTurns) {
  const auto pool = make_pool(GetParam());
  constexpr std::size_t kCallers = 4;
  std::atomic<int> inside[kCallers] = {};
  const auto call_often = [&](std::size_t caller) {
    for (int run = 0; run < 20; ++run) {
      Index squares[8] = {};
      pool->parallel_for(8, [&](Index chunk, int) {
        ++inside[caller];
        std::this_thread::sleep_for(std::chrono::microseconds(20));  // lets the other callers come
        for (std::size_t other = 0; other < kCallers; ++other) ASSERT_TRUE(other == caller || inside[other] == 0);
        squares[chunk] = chunk * chunk;
        --inside[caller];
      });
      ASSERT_EQ(std::accumulate(std::begin(squares), std::end(squares), Index{0}), 140);
    }
  };
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < kCallers; ++caller) callers.emplace_back(call_often, caller);
  for (std::thread& caller : callers) caller.join();
}

// A worker that stays long in its chunk: the others must take the rest, and the caller must wait, asleep, for the last.
TEST(ThreadPool, SlowWorkerTakesFewerChunks) {
  const auto pool = make_pool(2);
  std::atomic<int> by_slow{0}, by_quick{0};
  std::atomic<int> slow_worker{-1};
  pool->parallel_for(40, [&](Index, int worker) {
    int nobody = -1;
    if (slow_worker.compare_exchange_strong(nobody, worker) || slow_worker.load() == worker) {
      std::this_thread::sleep_for(milliseconds(30));
      ++by_slow;
    } else {
      std::this_thread::sleep_for(milliseconds(1));
      ++by_quick;
    }
  });
  EXPECT_EQ(by_slow + by_quick, 40);
  EXPECT_GT(by_quick, by_slow);
}

double process_cpu_milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

TEST(ThreadPool, SleepsWhenIdle) {
  const auto pool = make_pool(4);
  pool->parallel_for(100, [](Index, int) {});
  std::this_thread::sleep_for(milliseconds(20));
  const double before = process_cpu_milliseconds();
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_LT(process_cpu_milliseconds() - before, 5.0);
  // And wakes again.
  std::atomic<int> runs{0};
  pool->parallel_for(100, [&](Index, int) { ++runs; });
  EXPECT_EQ(runs, 100);
}

TEST(ThreadPool, CallerSleepsWhileTheLastChunkRuns) {
  const auto pool = make_pool(2);
  std::atomic<bool> crew_is_in{false};
  const double before = process_cpu_milliseconds();
  pool->parallel_for(2, [&](Index, int worker) {
    if (worker == 0) {
      // Leave one chunk for the other thread.
      while (!crew_is_in.load()) std::this_thread::sleep_for(milliseconds(1));
    } else {
      crew_is_in.store(true);
      std::this_thread::sleep_for(milliseconds(200));
    }
  });
  EXPECT_TRUE(crew_is_in.load());
  EXPECT_LT(process_cpu_milliseconds() - before, 20.0);
}

// Sleeping workers are woken for work: with one chunk per thread, each blocked until all have started, a worker that
// slept on would hang the test.
TEST(ThreadPool, AllThreadsComeWhenAllAreNeeded) {
  const auto pool = make_pool(4);
  for (int run = 0; run < 20; ++run) {
    if (run % 2 == 0) std::this_thread::sleep_for(milliseconds(2));  // long enough to be parked
    std::atomic<int> started{0};
    pool->parallel_for(4, [&](Index, int) {
      ++started;
      while (started.load() < 4) std::this_thread::yield();
    });
    EXPECT_EQ(started, 4);
  }
}

TEST(ThreadPool, AllocatesNothingInARun) {
  const auto pool = make_pool(2);
  const AllocationStats before = allocation_stats();
  for (int run = 0; run < 100; ++run) pool->parallel_for(16, [](Index, int) {});
  EXPECT_EQ(allocation_stats().allocations, before.allocations);
}

TEST(ThreadPool, ComesAndGoes) {
  for (int round = 0; round < 50; ++round) {
    const auto pool = make_pool(3);
    if (round % 3 == 0) continue;                                      // never used
    if (round % 3 == 1) std::this_thread::sleep_for(milliseconds(1));  // destroyed asleep
    std::atomic<int> runs{0};
    pool->parallel_for(5, [&](Index, int) { ++runs; });
    EXPECT_EQ(runs, 5);
  }
}

TEST(ThreadPool, RefusesSillySizes) {
  for (const int threads : {0, -1, 1000000}) {
    const auto pool = ThreadPool::create(threads);
    ASSERT_FALSE(pool.ok());
    EXPECT_EQ(pool.status().code(), StatusCode::invalid_argument);
    EXPECT_NE(pool.status().message().find(std::to_string(threads)), std::string::npos);
  }
}

// Sanitizers reserve terabytes of address space, so a limit on it would stop them before it stops us.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

rlim_t address_space_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  unsigned long pages = 0;
  if (file == nullptr || std::fscanf(file, "%lu", &pages) != 1) return 0;
  std::fclose(file);
  return rlim_t{pages} * 4096;
}

// In a process of its own: room for a few thread stacks, not for 2000.
[[noreturn]] void create_too_many_threads() {
  const rlim_t room = address_space_in_use() + (rlim_t{256} << 20);
  const rlimit limit{room, room};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
  const auto pool = ThreadPool::create(2000);
  if (pool.ok() || pool.status().code() != StatusCode::io_error) std::exit(3);
  std::fprintf(stderr, "%s", pool.status().message().c_str());
  std::exit(0);
}

TEST(ThreadPoolDeathTest, ThreadsTheSystemRefusesAreAnError) {
  EXPECT_EXIT(create_too_many_threads(), testing::ExitedWithCode(0),
              "the system started [0-9]+ of 1999 worker threads");
}

#endif

}  // namespace
}  // namespace quire
