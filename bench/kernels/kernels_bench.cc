// SPDX-License-Identifier: Apache-2.0
//
//   quire_kernels_bench [--threads=N] [--cold-mib=N] [options of Google Benchmark]
//
// Exit status 1 when a kernel's results were wrong or an option is unknown.
#include "bench/kernels/kernels_bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/cpu_features.h"
#include "bench/kernels/peak.h"
#include "tests/support/random.h"

namespace quire::bench {
namespace {

Settings chosen;
bool all_right = true;

// About 20 microseconds of the loop: short enough to stand between any two runs.
constexpr Index kPeakRounds = 10'000;

// The peak is measured a quarter as long as the kernel.
constexpr double kPeakShare = 0.25;

double run_peak(PeakFn peak) {
  std::vector<double> operations(static_cast<std::size_t>(pool().threads()));
  pool().parallel_for(pool().threads(),
                      [&](Index part, int) { operations[static_cast<std::size_t>(part)] = peak(kPeakRounds); });
  return std::accumulate(operations.begin(), operations.end(), 0.0);
}

void leave_caches() {
  static std::vector<char> far(static_cast<std::size_t>(settings().cold_bytes), 1);
  for (std::size_t i = 0; i < far.size(); i += static_cast<std::size_t>(kAlignment)) ++far[i];
  benchmark::ClobberMemory();
}

// Seconds of one run. Operands are cold when asked for.
double time_of(const std::function<void()>& run) {
  if (settings().cold_bytes > 0) leave_caches();
  const Stopwatch watch;
  run();
  benchmark::ClobberMemory();
  return watch.seconds();
}

// Not the mean: what other guests of the machine take away comes in bursts.
double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void report(benchmark::State& state, const Work& work, double seconds, double peak_rate) {
  if (work.flops > 0) {
    const double rate = work.flops / seconds;
    state.counters["GFLOP/s"] = rate * 1e-9;
    state.counters["peak_GFLOP/s"] = peak_rate * 1e-9;
    state.counters["of_peak"] = rate / peak_rate;
  }
  if (work.bytes > 0) state.counters["GB/s"] = work.bytes / seconds * 1e-9;
}

void time(benchmark::State& state, const Work& work, PeakFn peak) {
  std::vector<double> times, peak_rates;
  double seconds = 0, peak_seconds = 0;
  for (auto _ : state) {
    times.push_back(time_of(work.run));
    state.SetIterationTime(times.back());
    seconds += times.back();
    if (work.flops > 0 && peak_seconds <= kPeakShare * seconds) {
      const Stopwatch watch;
      const double operations = run_peak(peak);
      peak_seconds += watch.seconds();
      peak_rates.push_back(operations / watch.seconds());
    }
  }
  report(state, work, median(times), peak_rates.empty() ? 0 : median(peak_rates));
}

void check_and_time(benchmark::State& state, Level level, const std::function<Work()>& make) {
  if (!levels_of(cpu_features()).contains(level)) {
    state.SkipWithError(("not run here: " + std::string(to_string(level))).c_str());
    return;
  }
  const Work work = make();
  work.run();
  if (const double error = work.error(); !(error <= 1)) {
    all_right = false;
    state.SkipWithError(("wrong: " + std::to_string(error) + " times the bound").c_str());
    return;
  }
  time(state, work, peak_of(level));
}

bool take(std::string_view argument, std::string_view name, Index& value) {
  if (!argument.starts_with(name)) return false;
  char* end = nullptr;
  const std::string digits(argument.substr(name.size()));
  value = std::strtoll(digits.c_str(), &end, 10);
  return !digits.empty() && *end == '\0' && value > 0;
}

bool parse(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    Index value = 0;
    if (take(argv[i], "--threads=", value)) {
      chosen.threads = static_cast<int>(value);
    } else if (take(argv[i], "--cold-mib=", value)) {
      chosen.cold_bytes = value << 20;
    } else {
      std::fprintf(stderr, "unknown option: %s\n", argv[i]);
      return false;
    }
  }
  return true;
}

}  // namespace

const Settings& settings() { return chosen; }

ThreadPool& pool() {
  static const std::unique_ptr<ThreadPool> crew = std::move(ThreadPool::create(settings().threads)).value();
  return *crew;
}

void add(std::string_view kernel, Level level, const std::string& shape, const std::string& label,
         std::function<Work()> make) {
  const std::string name = std::string(kernel) + "/" + std::string(to_string(level)) + "/" + shape;
  benchmark::RegisterBenchmark(name.c_str(),
                               [level, label, make = std::move(make)](benchmark::State& state) {
                                 state.SetLabel(label);
                                 check_and_time(state, level, make);
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

std::string shape_name(std::initializer_list<std::pair<char, Index>> sizes) {
  std::string name;
  for (const auto& [letter, size] : sizes) {
    if (!name.empty()) name += '_';
    name += letter;
    name += std::to_string(size);
  }
  return name;
}

Floats::Floats(Index size, std::uint64_t seed)
    : buffer_(std::move(AlignedBuffer::allocate(size * static_cast<Index>(sizeof(float)))).value()) {
  test::Random random(seed);
  for (Index i = 0; i < size; ++i) data()[i] = random.symmetric();
}

}  // namespace quire::bench

int main(int argc, char** argv) {
  using namespace quire::bench;
  benchmark::Initialize(&argc, argv);
  if (!parse(argc, argv)) return 1;
  benchmark::AddCustomContext("cpu", quire::cpu_name());
  benchmark::AddCustomContext("threads", std::to_string(settings().threads));
  benchmark::AddCustomContext("cold_bytes", std::to_string(settings().cold_bytes));
  for (auto add_all : {add_gemm_f32, add_attention_f32, add_layer_norm, add_embed, add_pool}) add_all();
  benchmark::RunSpecifiedBenchmarks();
  return all_right ? 0 : 1;
}
