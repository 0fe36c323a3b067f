// SPDX-License-Identifier: Apache-2.0
//
// The tiny checkpoints of tests/golden/make_bert_golden.py and what transformers makes of them.
#pragma once

#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/level.h"
#include "base/thread_pool.h"
#include "engine/families/families.h"
#include "engine/model.h"
#include "engine/session.h"
#include "loader/weights.h"

namespace quire::test {

inline constexpr const char* kGoldenCases[] = {"gelu_f32", "tanh_bf16_prefixed", "relu_f16_sharded", "silu_odd"};
inline constexpr Index kGoldenLengths[] = {1,  2,  3,   5,   8,   15,  16,  17,  31,  32,  33,  37,
                                           64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 600};

template <class T>
T must(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().message());
  return std::move(result).value();
}

inline std::filesystem::path golden_folder(const std::string& name) {
  return std::filesystem::path(QUIRE_SOURCE_ROOT) / "tests/golden/bert" / name;
}

// One sequence.
struct Tokens {
  std::vector<std::int32_t> ids, types;
};

// Sequences one behind the other.
struct PackedTokens {
  std::vector<std::int32_t> ids, types, offsets = {0};

  void add(const Tokens& tokens) {
    ids.insert(ids.end(), tokens.ids.begin(), tokens.ids.end());
    types.insert(types.end(), tokens.types.begin(), tokens.types.end());
    offsets.push_back(static_cast<std::int32_t>(ids.size()));
  }
  engine::TokenBatch batch() const { return {ids, types, offsets}; }
};

inline PackedTokens packed(const std::vector<Tokens>& all) {
  PackedTokens out;
  for (const Tokens& tokens : all) out.add(tokens);
  return out;
}

class GoldenCase {
 public:
  explicit GoldenCase(const std::string& name)
      : weights_(std::make_shared<const loader::Weights>(must(loader::Weights::open(golden_folder(name))))),
        spec_(must(engine::read_model_spec(golden_folder(name), *weights_))),
        expected_(must(loader::Weights::open(golden_folder(name) / "expected"))) {}

  const engine::ModelSpec& spec() const { return spec_; }
  const std::shared_ptr<const loader::Weights>& weights() const { return weights_; }

  std::vector<Index> lengths() const {
    std::vector<Index> out;
    for (Index length : kGoldenLengths)
      if (length <= spec_.max_tokens) out.push_back(length);
    return out;
  }

  Tokens input(Index length) const {
    return {integers("ids." + std::to_string(length)), integers("types." + std::to_string(length))};
  }

  std::vector<float> floats(const std::string& name) const {
    const loader::TensorView tensor = must(expected_.get(name));
    std::vector<float> out(static_cast<std::size_t>(tensor.elements()));
    const Status status = expected_.read_f32(name, tensor.shape, out.data());
    if (!status.ok()) throw std::runtime_error(status.message());
    return out;
  }

  std::vector<std::int32_t> integers(const std::string& name) const {
    const loader::TensorView tensor = must(expected_.get(name));
    std::vector<std::int32_t> out(static_cast<std::size_t>(tensor.elements()));
    std::memcpy(out.data(), tensor.data, out.size() * sizeof(std::int32_t));
    return out;
  }

  std::shared_ptr<const engine::Model> model(Level level) const {
    const LevelSet levels = must(choose_levels(to_string(level))).levels;
    return must(engine::Model::create(spec_, weights_, engine::select_kernels(levels)));
  }

 private:
  std::shared_ptr<const loader::Weights> weights_;
  engine::ModelSpec spec_;
  loader::Weights expected_;
};

// A model with what runs it.
struct Runner {
  Runner(const GoldenCase& golden, Level level, int threads, engine::Capacity capacity)
      : pool(must(ThreadPool::create(threads))),
        session(must(engine::Session::create(golden.model(level), *pool, capacity))) {}

  std::vector<float> vector(Index sequence) const {
    const auto view = session.vector(sequence);
    return {view.begin(), view.end()};
  }

  std::unique_ptr<ThreadPool> pool;
  engine::Session session;
};

// The levels with a kernel of their own that this CPU has.
inline std::vector<Level> runnable_levels() {
  std::vector<Level> out;
  for (const auto& entry : kernels::gemm_f32_kernels())
    if (choose_levels(to_string(entry.level)).ok()) out.push_back(entry.level);
  return out;
}

}  // namespace quire::test
