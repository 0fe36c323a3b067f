// SPDX-License-Identifier: Apache-2.0
//
// What all kernel benchmarks share: one benchmark per entry of a kernel's list and shape, checked once against the
// double-precision reference, timed by turns with the loop of bench/kernels/peak.h.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/aligned_memory.h"
#include "base/thread_pool.h"
#include "kernels/kernel_list.h"

namespace quire::bench {

// One piece of work that can be done again and again.
struct Work {
  std::function<void()> run;
  // The largest error of the results after run(), in units of its bound; above 1 is wrong. NaN is wrong too.
  std::function<double()> error;
  double flops = 0;  // per run; 0: not a matter of arithmetic
  double bytes = 0;  // moved per run
};

struct Settings {
  int threads = 1;
  Index cold_bytes = 0;  // memory walked through before each run, so that operands come from beyond that many bytes
};
const Settings& settings();
ThreadPool& pool();  // of settings().threads

// "gemm_f32/avx512/m128_n1536_k384": kernel, level, shape. `make` builds operands when the benchmark is run, not
// before.
void add(std::string_view kernel, Level level, const std::string& shape, const std::string& label,
         std::function<Work()> make);

// {{'m', 128}, {'k', 384}}: "m128_k384".
std::string shape_name(std::initializer_list<std::pair<char, Index>> sizes);

// Each kernel's benchmarks; `for_entries` calls body(level, functions) for a whole list.
void add_gemm_f32();
void add_attention_f32();
void add_layer_norm();
void add_embed();
void add_pool();

template <class Fns, class Body>
void for_entries(std::span<const kernels::KernelEntry<Fns>> list, Body body) {
  for (const auto& entry : list) body(entry.level, entry.fns);
}

// `size` floats, aligned as the engine's are, with values in [-1, 1).
class Floats {
 public:
  explicit Floats(Index size, std::uint64_t seed = 1);
  float* data() const { return buffer_.as<float>(); }

 private:
  AlignedBuffer buffer_;
};

}  // namespace quire::bench
