// SPDX-License-Identifier: Apache-2.0
//
// A run is a gate that the caller opens and shuts. Workers that see it open go in, take chunks and come out; the caller
// takes chunks too, shuts the gate when none is left and waits only for workers that are inside. A worker whose CPU was
// taken away before it went in is not waited for: the others do its share.
#include "base/thread_pool.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace quire {
namespace {

constexpr int kMaxThreads = 4096;
// The gap between two kernels of a forward pass is shorter than this; the gap between two passes is not.
constexpr std::chrono::microseconds kSpinTime{50};

// The gate: how many workers are inside (bits 0-15), flags, and above them the number of the run.
constexpr std::uint64_t kInside = 0xFFFF;
constexpr std::uint64_t kOpen = 1u << 16;
constexpr std::uint64_t kCallerSleeps = 1u << 17;
constexpr std::uint64_t kStop = 1u << 18;
constexpr std::uint64_t kNextRun = 1u << 19;

std::uint64_t run_number(std::uint64_t gate) { return gate / kNextRun; }

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// True as soon as `ready()` is, false if it is not within kSpinTime.
template <class Ready>
bool spin_until(Ready&& ready) {
  if (ready()) return true;
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < 16; ++i) {
      pause();
      if (ready()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

struct ThreadPool::State {
  // Each on a cache line of its own: workers that spin on the gate must not slow down those that take chunks.
  alignas(64) std::atomic<std::uint64_t> gate{0};
  alignas(64) std::atomic<Index> next{0};
  alignas(64) std::atomic<std::uint32_t> bell{0};  // rung for sleeping workers
  std::atomic<int> sleepers{0};
  alignas(64) std::atomic<std::uint32_t> caller_bell{0};  // rung for a sleeping caller, by the last worker to leave

  // The run. Written while the gate is shut and nobody is inside.
  alignas(64) Index chunks = 0;
  void* context = nullptr;
  ChunkFn body = nullptr;

  std::mutex one_caller;
  std::vector<std::thread> crew;

  void take_chunks(int worker) {
    for (Index chunk = next.fetch_add(1, std::memory_order_relaxed); chunk < chunks;
         chunk = next.fetch_add(1, std::memory_order_relaxed)) {
      body(context, chunk, worker);
    }
  }

  // Something for a worker that was last inside run `last`: an open gate, or the end.
  static bool is_news(std::uint64_t seen, std::uint64_t last) {
    return (seen & kStop) != 0 || ((seen & kOpen) != 0 && run_number(seen) != last);
  }

  std::uint64_t await_news(std::uint64_t last) {
    std::uint64_t seen = 0;
    const auto news = [&] {
      seen = gate.load(std::memory_order_acquire);
      return is_news(seen, last);
    };
    while (!spin_until(news)) {
      const std::uint32_t heard = bell.load();
      sleepers.fetch_add(1);
      // The caller opens, then looks for sleepers; we announce sleep, then look at the gate. One of the two sees the
      // other: all four are sequentially consistent.
      if (seen = gate.load(); !is_news(seen, last)) bell.wait(heard);
      sleepers.fetch_sub(1);
    }
    return seen;
  }

  // False if the gate was shut meanwhile.
  bool enter(std::uint64_t seen) {
    const std::uint64_t run = run_number(seen);
    while ((seen & kOpen) != 0 && run_number(seen) == run) {
      if (gate.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return true;
    }
    return false;
  }

  void leave() {
    const std::uint64_t before = gate.fetch_sub(1, std::memory_order_acq_rel);
    if ((before & kCallerSleeps) == 0 || (before & kInside) != 1) return;
    caller_bell.fetch_add(1, std::memory_order_release);
    caller_bell.notify_one();
  }

  void work(int worker) {
    std::uint64_t last = 0;
    for (;;) {
      const std::uint64_t seen = await_news(last);
      if ((seen & kStop) != 0) return;
      last = run_number(seen);
      if (!enter(seen)) continue;
      take_chunks(worker);
      leave();
    }
  }

  void open_gate() {
    const std::uint64_t shut = gate.load(std::memory_order_relaxed);
    gate.store((run_number(shut) + 1) * kNextRun | kOpen);
    if (sleepers.load() > 0) ring();
  }

  void ring() {
    bell.fetch_add(1);
    // No more sleepers than can find a chunk beside the caller.
    if (chunks - 1 >= static_cast<Index>(crew.size())) {
      bell.notify_all();
    } else {
      for (Index i = 1; i < chunks; ++i) bell.notify_one();
    }
  }

  void shut_gate() {
    const std::uint64_t before = gate.fetch_and(~kOpen, std::memory_order_acq_rel);
    if ((before & kInside) == 0) return;
    const auto empty = [&] { return (gate.load(std::memory_order_acquire) & kInside) == 0; };
    if (spin_until(empty)) return;
    const std::uint32_t heard = caller_bell.load(std::memory_order_acquire);
    // If somebody is inside still, the last to leave finds the flag and rings exactly once.
    if ((gate.fetch_or(kCallerSleeps, std::memory_order_acq_rel) & kInside) != 0) caller_bell.wait(heard);
  }

  void run_with_crew() {
    next.store(0, std::memory_order_relaxed);
    open_gate();
    take_chunks(0);
    shut_gate();
  }
};

ThreadPool::ThreadPool(int threads) : threads_(threads), state_(std::make_unique<State>()) {}

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(int threads) {
  if (threads < 1 || threads > kMaxThreads) {
    return invalid_argument("a thread pool of " + std::to_string(threads) + " threads; allowed are 1 to " +
                            std::to_string(kMaxThreads));
  }
  std::unique_ptr<ThreadPool> pool(new ThreadPool(threads));
  State* state = pool->state_.get();
  state->crew.reserve(static_cast<std::size_t>(threads - 1));
  for (int worker = 1; worker < threads; ++worker) {
    try {
      state->crew.emplace_back([state, worker] { state->work(worker); });
    } catch (const std::system_error& error) {
      return Status(StatusCode::io_error, "the system started " + std::to_string(worker - 1) + " of " +
                                              std::to_string(threads - 1) + " worker threads: " + error.what());
    }
  }
  return pool;
}

ThreadPool::~ThreadPool() {
  state_->gate.fetch_or(kStop);
  state_->bell.fetch_add(1);
  state_->bell.notify_all();
  for (std::thread& worker : state_->crew) worker.join();
}

void ThreadPool::run(Index chunks, void* context, ChunkFn body) {
  if (chunks <= 0) return;
  const std::lock_guard<std::mutex> one_run_at_a_time(state_->one_caller);
  if (threads_ == 1 || chunks == 1) {
    for (Index chunk = 0; chunk < chunks; ++chunk) body(context, chunk, 0);
    return;
  }
  state_->chunks = chunks;
  state_->context = context;
  state_->body = body;
  state_->run_with_crew();
}

}  // namespace quire
