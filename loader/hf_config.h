// SPDX-License-Identifier: Apache-2.0
//
// Hugging Face config.json as plain data: what a family needs, checked; unknown harmless keys are ignored.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace quire::loader {

// Enough to choose the family.
struct ModelKind {
  std::string model_type;
  std::vector<std::string> architectures;
};
Result<ModelKind> read_model_kind(const std::filesystem::path& folder);

// model_type "bert". Keys as in transformers' BertConfig; every one without a default there is required.
struct BertConfig {
  Index vocab_size = 0, hidden_size = 0, num_hidden_layers = 0, num_attention_heads = 0, intermediate_size = 0;
  Index max_position_embeddings = 0, type_vocab_size = 2;
  std::string hidden_act = "gelu";
  double layer_norm_eps = 1e-12;
};
// Refuses by key and value: position_embedding_type other than "absolute", is_decoder, auto_map (code of its own),
// head counts that do not divide, sizes that are not positive or absurd (> 2^31), wrong JSON types.
Result<BertConfig> read_bert_config(const std::filesystem::path& folder);

// tokenizer_config.json's model_max_length where it is a sane number (1e30 means "unset"); 0: none.
Result<Index> read_tokenizer_limit(const std::filesystem::path& folder);

}  // namespace quire::loader
