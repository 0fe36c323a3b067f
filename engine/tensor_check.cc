// SPDX-License-Identifier: Apache-2.0
#include "engine/tensor_check.h"

#include <utility>

namespace quire::engine {
namespace {

void need(std::vector<TensorNeed>& out, const std::string& name, std::vector<Index> shape) {
  if (!name.empty()) out.push_back({name, std::move(shape)});
}

void need(std::vector<TensorNeed>& out, const LayerNormSpec& norm, Index cols) {
  need(out, norm.weight, {cols});
  need(out, norm.bias, {cols});
}

void need(std::vector<TensorNeed>& out, const LinearSpec& linear) {
  for (std::size_t i = 0; i < linear.weights.size(); ++i) need(out, linear.weights[i], {linear.out[i], linear.in});
  for (std::size_t i = 0; i < linear.biases.size(); ++i) need(out, linear.biases[i], {linear.out[i]});
}

std::string shape_text(const std::vector<Index>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

bool widens_to_f32(loader::DType dtype) {
  return dtype == loader::DType::f32 || dtype == loader::DType::f16 || dtype == loader::DType::bf16;
}

}  // namespace

std::vector<TensorNeed> tensors_needed(const ModelSpec& spec) {
  std::vector<TensorNeed> out;
  const EmbeddingSpec& embedding = spec.embedding;
  need(out, embedding.word, {embedding.vocabulary, spec.hidden});
  need(out, embedding.position, {embedding.positions, spec.hidden});
  need(out, embedding.type, {embedding.types, spec.hidden});
  need(out, embedding.norm, spec.hidden);
  for (const LayerSpec& layer : spec.layers) {
    need(out, layer.attention.qkv);
    need(out, layer.attention.out);
    need(out, layer.attention_norm, spec.hidden);
    need(out, layer.mlp.up);
    need(out, layer.mlp.down);
    need(out, layer.mlp_norm, spec.hidden);
  }
  return out;
}

Status check_tensors(const ModelSpec& spec, const loader::Weights& weights) {
  for (const TensorNeed& wanted : tensors_needed(spec)) {
    QUIRE_ASSIGN_OR_RETURN(const loader::TensorView found, weights.get(wanted.name));
    const std::string who = weights.source() + ": tensor " + wanted.name;
    if (found.shape != wanted.shape)
      return corrupt_file(who + " has shape " + shape_text(found.shape) + ", the config wants " +
                          shape_text(wanted.shape));
    if (!widens_to_f32(found.dtype))
      return unsupported(who + " is " + std::string(loader::to_string(found.dtype)) +
                         ", weights must be F32, F16 or BF16");
  }
  return {};
}

}  // namespace quire::engine
