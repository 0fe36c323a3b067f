// SPDX-License-Identifier: Apache-2.0
#include "engine/model.h"

#include <cstdint>
#include <string>
#include <utility>

namespace quire::engine {
namespace {

constexpr Index kFloat = sizeof(float);

// Every weight of the arena starts on a cache line.
Index slot_bytes(Index elements) { return round_up(elements * kFloat, kAlignment); }

Index linear_bytes(const LinearSpec& linear, const kernels::GemmF32& gemm) {
  const Index bias = linear.biases.empty() ? 0 : slot_bytes(linear.total_out());
  return slot_bytes(kernels::packed_size(gemm, linear.total_out(), linear.in)) + bias;
}

Index norm_bytes(const LayerNormSpec& norm, Index cols) { return slot_bytes(cols) * (norm.bias.empty() ? 1 : 2); }

Index layer_bytes(const LayerSpec& layer, Index hidden, const kernels::GemmF32& gemm) {
  return linear_bytes(layer.attention.qkv, gemm) + linear_bytes(layer.attention.out, gemm) +
         linear_bytes(layer.mlp.up, gemm) + linear_bytes(layer.mlp.down, gemm) +
         norm_bytes(layer.attention_norm, hidden) + norm_bytes(layer.mlp_norm, hidden);
}

// The condition under which Weights::map_f32 hands out the file's own bytes.
bool used_in_place(const loader::TensorView& tensor) {
  return tensor.dtype == loader::DType::f32 && reinterpret_cast<std::uintptr_t>(tensor.data) % alignof(float) == 0;
}

void plan_table(const std::string& name, const loader::Weights& weights, WeightPlan& plan) {
  const loader::TensorView* tensor = name.empty() ? nullptr : weights.find(name);
  if (tensor == nullptr) return;
  if (used_in_place(*tensor))
    plan.mapped_bytes += tensor->bytes;
  else
    plan.packed_bytes += slot_bytes(tensor->elements());
}

}  // namespace

WeightPlan plan_weights(const ModelSpec& spec, const KernelSet& kernels, const loader::Weights& weights) {
  WeightPlan plan;
  plan_table(spec.embedding.word, weights, plan);
  plan_table(spec.embedding.position, weights, plan);
  plan_table(spec.embedding.type, weights, plan);
  plan.packed_bytes += norm_bytes(spec.embedding.norm, spec.hidden);
  for (const LayerSpec& layer : spec.layers) plan.packed_bytes += layer_bytes(layer, spec.hidden, kernels.gemm->fns);
  return plan;
}

// Walks the spec in the order of plan_weights and takes slots of the arena one after the other.
class ModelBuilder {
 public:
  ModelBuilder(Model& model, const loader::Weights& weights) : model_(model), weights_(weights) {}

  Status build() {
    const WeightPlan plan = plan_weights(model_.spec_, model_.kernels_, weights_);
    QUIRE_ASSIGN_OR_RETURN(model_.arena_, AlignedBuffer::allocate(plan.packed_bytes, Pages::huge));
    model_.mapped_bytes_ = plan.mapped_bytes;
    QUIRE_RETURN_IF_ERROR(bind_embedding());
    for (const LayerSpec& layer : model_.spec_.layers) QUIRE_RETURN_IF_ERROR(bind_layer(layer));
    if (used_ != plan.packed_bytes)
      return {StatusCode::internal,
              "weights took " + std::to_string(used_) + " bytes, planned were " + std::to_string(plan.packed_bytes)};
    return {};
  }

 private:
  float* take(Index elements) {
    float* slot = model_.arena_.as<float>() + used_ / kFloat;
    used_ += slot_bytes(elements);
    return slot;
  }

  Result<const float*> bind_table(const std::string& name, Index rows) {
    if (name.empty()) return nullptr;
    const Index shape[] = {rows, model_.spec_.hidden};
    QUIRE_ASSIGN_OR_RETURN(const float* mapped, weights_.map_f32(name, shape));
    if (mapped != nullptr) return mapped;
    float* table = take(rows * model_.spec_.hidden);
    QUIRE_RETURN_IF_ERROR(weights_.read_f32(name, shape, table));
    return table;
  }

  Result<const float*> bind_vector(const std::string& name, Index elements) {
    if (name.empty()) return nullptr;
    float* vector = take(elements);
    QUIRE_RETURN_IF_ERROR(weights_.read_f32(name, {&elements, 1}, vector));
    return vector;
  }

  Status bind_norm(const LayerNormSpec& norm, BoundNorm& out) {
    out.eps = norm.eps;
    QUIRE_ASSIGN_OR_RETURN(out.gamma, bind_vector(norm.weight, model_.spec_.hidden));
    QUIRE_ASSIGN_OR_RETURN(out.beta, bind_vector(norm.bias, model_.spec_.hidden));
    return {};
  }

  // The matrix as fp32 [rows x cols]: in place, or widened into scratch_.
  Result<const float*> matrix(const std::string& name, Index rows, Index cols) {
    const Index shape[] = {rows, cols};
    QUIRE_ASSIGN_OR_RETURN(const float* mapped, weights_.map_f32(name, shape));
    if (mapped != nullptr) return mapped;
    if (scratch_.bytes() < rows * cols * kFloat) {
      QUIRE_ASSIGN_OR_RETURN(scratch_, AlignedBuffer::allocate(rows * cols * kFloat));
    }
    QUIRE_RETURN_IF_ERROR(weights_.read_f32(name, shape, scratch_.as<float>()));
    return scratch_.as<float>();
  }

  Status bind_linear(const LinearSpec& linear, PackedLinear& out) {
    const kernels::GemmF32& gemm = model_.kernels_.gemm->fns;
    out.in = linear.in;
    out.out = linear.total_out();
    float* packed = take(kernels::packed_size(gemm, out.out, out.in));
    Index first = 0;
    for (std::size_t i = 0; i < linear.weights.size(); ++i) {
      QUIRE_ASSIGN_OR_RETURN(const float* w, matrix(linear.weights[i], linear.out[i], linear.in));
      kernels::pack(gemm, w, linear.in, linear.out[i], linear.in, first, out.out, packed);
      first += linear.out[i];
    }
    out.weights = packed;
    return linear.biases.empty() ? Status{} : bind_biases(linear, out);
  }

  Status bind_biases(const LinearSpec& linear, PackedLinear& out) {
    float* bias = take(out.out);
    out.bias = bias;
    for (std::size_t i = 0; i < linear.biases.size(); ++i) {
      QUIRE_RETURN_IF_ERROR(weights_.read_f32(linear.biases[i], {&linear.out[i], 1}, bias));
      bias += linear.out[i];
    }
    return {};
  }

  Status bind_embedding() {
    const EmbeddingSpec& spec = model_.spec_.embedding;
    BoundEmbedding& out = model_.embedding_;
    QUIRE_ASSIGN_OR_RETURN(out.word, bind_table(spec.word, spec.vocabulary));
    QUIRE_ASSIGN_OR_RETURN(out.position, bind_table(spec.position, spec.positions));
    QUIRE_ASSIGN_OR_RETURN(out.type, bind_table(spec.type, spec.types));
    return bind_norm(spec.norm, out.norm);
  }

  Status bind_layer(const LayerSpec& spec) {
    BoundLayer layer;
    const AttentionSpec& attention = spec.attention;
    layer.attention = {attention.heads, attention.kv_heads, attention.head_dim, attention.scale};
    layer.activation = spec.mlp.activation;
    QUIRE_RETURN_IF_ERROR(bind_linear(attention.qkv, layer.qkv));
    QUIRE_RETURN_IF_ERROR(bind_linear(attention.out, layer.out));
    QUIRE_RETURN_IF_ERROR(bind_norm(spec.attention_norm, layer.attention_norm));
    QUIRE_RETURN_IF_ERROR(bind_linear(spec.mlp.up, layer.up));
    QUIRE_RETURN_IF_ERROR(bind_linear(spec.mlp.down, layer.down));
    QUIRE_RETURN_IF_ERROR(bind_norm(spec.mlp_norm, layer.mlp_norm));
    model_.layers_.push_back(layer);
    return {};
  }

  Model& model_;
  const loader::Weights& weights_;
  AlignedBuffer scratch_;
  Index used_ = 0;
};

Result<std::shared_ptr<const Model>> Model::create(ModelSpec spec, std::shared_ptr<const loader::Weights> weights,
                                                   const KernelSet& kernels) {
  std::shared_ptr<Model> model(new Model);
  model->spec_ = std::move(spec);
  model->kernels_ = kernels;
  model->weights_ = std::move(weights);
  QUIRE_RETURN_IF_ERROR(ModelBuilder(*model, *model->weights_).build());
  return std::shared_ptr<const Model>(std::move(model));
}

}  // namespace quire::engine
