// SPDX-License-Identifier: Apache-2.0
//
// A model ready to run: weights bound and packed for the chosen kernels. Immutable, shared by sessions and threads.
#pragma once

#include <memory>
#include <vector>

#include "base/aligned_memory.h"
#include "base/status.h"
#include "engine/kernel_set.h"
#include "engine/spec.h"
#include "loader/weights.h"

namespace quire::engine {

struct PackedLinear {
  const float* weights = nullptr;  // in the GEMM kernel's layout
  const float* bias = nullptr;     // [out]; null: none
  Index in = 0, out = 0;
};

struct BoundNorm {
  const float* gamma = nullptr;
  const float* beta = nullptr;  // null: none
  float eps = 0;
};

struct BoundEmbedding {
  const float* word = nullptr;
  const float* position = nullptr;  // null: none
  const float* type = nullptr;      // null: none
  BoundNorm norm;
};

struct BoundLayer {
  kernels::AttentionShape attention;
  PackedLinear qkv, out;
  BoundNorm attention_norm;
  PackedLinear up, down;
  kernels::Activation activation = kernels::Activation::none;
  BoundNorm mlp_norm;
};

// Bytes of weights, known from the file headers alone.
struct WeightPlan {
  Index packed_bytes = 0;  // one arena: packed matrices, biases, norms, tables that had to be widened
  Index mapped_bytes = 0;  // tables used in place from the mapped file
};

WeightPlan plan_weights(const ModelSpec& spec, const KernelSet& kernels, const loader::Weights& weights);

class Model {
 public:
  // `spec` has been checked against `weights` (check_tensors). Keeps `weights` alive: tables stay in the mapped file.
  static Result<std::shared_ptr<const Model>> create(ModelSpec spec, std::shared_ptr<const loader::Weights> weights,
                                                     const KernelSet& kernels);

  const ModelSpec& spec() const { return spec_; }
  const KernelSet& kernels() const { return kernels_; }
  const BoundEmbedding& embedding() const { return embedding_; }
  const std::vector<BoundLayer>& layers() const { return layers_; }
  Index packed_bytes() const { return arena_.bytes(); }
  Index mapped_bytes() const { return mapped_bytes_; }

 private:
  friend class ModelBuilder;
  Model() = default;

  ModelSpec spec_;
  KernelSet kernels_;
  std::shared_ptr<const loader::Weights> weights_;
  AlignedBuffer arena_;
  Index mapped_bytes_ = 0;
  BoundEmbedding embedding_;
  std::vector<BoundLayer> layers_;
};

}  // namespace quire::engine
