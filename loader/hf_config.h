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

// model_type "bert". Keys as in transformers' BertConfig. The sizes are required: transformers would fill in those of
// bert-base, which is never what a checkpoint that lacks them means. The others have the defaults of transformers.
struct BertConfig {
  Index vocab_size = 0, hidden_size = 0, num_hidden_layers = 0, num_attention_heads = 0, intermediate_size = 0;
  Index max_position_embeddings = 0, type_vocab_size = 2;
  std::string hidden_act = "gelu";
  double layer_norm_eps = 1e-12;
};
// Refuses by key and value. unsupported: another model_type, position_embedding_type other than "absolute", is_decoder,
// auto_map (code of its own), quantization_config, pruned_heads. not_found: an absent key. corrupt_file: wrong JSON
// types, head counts that do not divide, sizes that are not whole numbers from 1 to 2^31 (384.0 is none).
// hidden_act is handed on as it is; the family knows what it can run.
Result<BertConfig> read_bert_config(const std::filesystem::path& folder);

// tokenizer_config.json's model_max_length. 0: no such file or key, null, or beyond 1e9 (1e30 means "unset").
Result<Index> read_tokenizer_limit(const std::filesystem::path& folder);

}  // namespace quire::loader
