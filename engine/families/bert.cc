// SPDX-License-Identifier: Apache-2.0
#include "engine/families/bert.h"

#include <cmath>
#include <string>
#include <utility>

namespace quire::engine {
namespace {

using kernels::Activation;

// transformers' ACT2FN (activations.py). "gelu_fast" and "gelu_new" are the tanh form up to rounding.
Result<Activation> activation_of(const std::string& name) {
  static constexpr std::pair<std::string_view, Activation> kKnown[] = {
      {"gelu", Activation::gelu_erf},       {"gelu_new", Activation::gelu_tanh},
      {"gelu_fast", Activation::gelu_tanh}, {"gelu_pytorch_tanh", Activation::gelu_tanh},
      {"relu", Activation::relu},           {"silu", Activation::silu},
      {"swish", Activation::silu},
  };
  std::string known;
  for (const auto& [word, activation] : kKnown) {
    if (word == name) return activation;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  return unsupported("config.json: hidden_act \"" + name + "\" is not one that Quire runs (" + known + ")");
}

// Spells tensor names as this checkpoint does.
class Names {
 public:
  explicit Names(const std::function<bool(std::string_view)>& exists) : exists_(exists) {
    if (!exists("embeddings.word_embeddings.weight") && exists("bert.embeddings.word_embeddings.weight"))
      prefix_ = "bert.";
  }

  std::string operator()(const std::string& name) const { return prefix_ + name; }

  LayerNormSpec norm(const std::string& name, double eps) const {
    const std::string full = prefix_ + name;
    const bool legacy = !exists_(full + ".weight") && exists_(full + ".gamma");
    return {full + (legacy ? ".gamma" : ".weight"), full + (legacy ? ".beta" : ".bias"), static_cast<float>(eps)};
  }

  // Tensors that share an input, stacked by rows.
  LinearSpec linear(const std::vector<std::string>& parts, Index in, Index out_each) const {
    LinearSpec spec;
    spec.in = in;
    for (const std::string& part : parts) {
      spec.weights.push_back(prefix_ + part + ".weight");
      spec.biases.push_back(prefix_ + part + ".bias");
      spec.out.push_back(out_each);
    }
    return spec;
  }

 private:
  const std::function<bool(std::string_view)>& exists_;
  std::string prefix_;
};

EmbeddingSpec embedding_spec(const loader::BertConfig& config, const Names& names) {
  EmbeddingSpec spec;
  spec.word = names("embeddings.word_embeddings.weight");
  spec.position = names("embeddings.position_embeddings.weight");
  spec.type = names("embeddings.token_type_embeddings.weight");
  spec.vocabulary = config.vocab_size;
  spec.positions = config.max_position_embeddings;
  spec.types = config.type_vocab_size;
  spec.norm = names.norm("embeddings.LayerNorm", config.layer_norm_eps);
  return spec;
}

LayerSpec layer_spec(const loader::BertConfig& config, const Names& names, Index index, Activation activation) {
  const std::string at = "encoder.layer." + std::to_string(index) + ".";
  const std::string self = at + "attention.self.";
  const Index hidden = config.hidden_size;
  LayerSpec layer;
  layer.placement = NormPlacement::post;
  layer.attention.heads = layer.attention.kv_heads = config.num_attention_heads;
  layer.attention.head_dim = hidden / config.num_attention_heads;
  layer.attention.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(layer.attention.head_dim)));
  layer.attention.qkv = names.linear({self + "query", self + "key", self + "value"}, hidden, hidden);
  layer.attention.out = names.linear({at + "attention.output.dense"}, hidden, hidden);
  layer.attention_norm = names.norm(at + "attention.output.LayerNorm", config.layer_norm_eps);
  layer.mlp.up = names.linear({at + "intermediate.dense"}, hidden, config.intermediate_size);
  layer.mlp.activation = activation;
  layer.mlp.down = names.linear({at + "output.dense"}, config.intermediate_size, hidden);
  layer.mlp_norm = names.norm(at + "output.LayerNorm", config.layer_norm_eps);
  return layer;
}

}  // namespace

Result<ModelSpec> bert_spec(const loader::BertConfig& config, const std::function<bool(std::string_view)>& exists) {
  QUIRE_ASSIGN_OR_RETURN(const Activation activation, activation_of(config.hidden_act));
  const Names names(exists);
  ModelSpec spec;
  spec.family = "bert";
  spec.hidden = config.hidden_size;
  spec.max_tokens = config.max_position_embeddings;
  spec.embedding = embedding_spec(config, names);
  // A layer that is not in the file is found by the first name that is missing, so a config that asks for 2^31 layers
  // ends there and not in memory.
  for (Index i = 0; i < config.num_hidden_layers; ++i) {
    spec.layers.push_back(layer_spec(config, names, i, activation));
    if (!exists(spec.layers.back().attention.qkv.weights.front())) break;
  }
  return spec;
}

}  // namespace quire::engine
