// SPDX-License-Identifier: Apache-2.0
//
// A model is data. A family (engine/families/) turns a Hugging Face config and tensor names into a ModelSpec; one
// forward pass runs any spec. A weight is named here, not held: engine/model binds and packs it.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"
#include "kernels/activation.h"

namespace quire::engine {

// A linear layer: one or more tensors [rows_i x in] stacked by rows (QKV is three), with optional biases.
struct LinearSpec {
  std::vector<std::string> weights;
  std::vector<std::string> biases;  // empty, or one per weight
  Index in = 0;
  std::vector<Index> out;  // rows per weight
  Index total_out() const {
    Index sum = 0;
    for (Index rows : out) sum += rows;
    return sum;
  }
};

struct LayerNormSpec {
  std::string weight;
  std::string bias;  // empty: none
  float eps = 0;
};

struct EmbeddingSpec {
  std::string word;
  std::string position;  // empty: none
  std::string type;      // empty: none
  Index vocabulary = 0, positions = 0, types = 0;
  LayerNormSpec norm;
};

struct AttentionSpec {
  Index heads = 0, kv_heads = 0, head_dim = 0;
  float scale = 0;
  LinearSpec qkv;  // rows: q heads, k heads, v heads
  LinearSpec out;
};

struct MlpSpec {
  LinearSpec up;
  kernels::Activation activation = kernels::Activation::none;
  LinearSpec down;
};

// Where the norms stand. post: h = norm(h + f(h)) (BERT).
enum class NormPlacement { post };

struct LayerSpec {
  NormPlacement placement = NormPlacement::post;
  AttentionSpec attention;
  LayerNormSpec attention_norm;
  MlpSpec mlp;
  LayerNormSpec mlp_norm;
};

struct ModelSpec {
  std::string family;        // "bert"
  std::string architecture;  // "BertModel": what the config calls itself; the trunk is what runs
  Index hidden = 0;
  Index max_tokens = 0;  // what the positions allow
  EmbeddingSpec embedding;
  std::vector<LayerSpec> layers;
};

}  // namespace quire::engine
