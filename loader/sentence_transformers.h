// SPDX-License-Identifier: Apache-2.0
//
// The sentence-transformers files of a model folder: modules.json, 1_Pooling/config.json, sentence_bert_config.json,
// config_sentence_transformers.json. Layout facts: sentence-transformers 2.x to 6.x.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/types.h"

namespace quire::loader {

enum class PoolingMode { mean, cls, max };

struct SentenceTransformersConfig {
  bool present = false;                // modules.json exists
  std::optional<PoolingMode> pooling;  // from the Pooling module, old (booleans) and new ("pooling_mode") spelling
  Index pooling_dimension = 0;         // its word_embedding_dimension or embedding_dimension; 0: not given
  bool normalize = false;              // a Normalize module
  std::filesystem::path transformer;   // folder of the Transformer module (the model folder itself, or "0_Transformer")
  Index max_sequence_length = 0;       // 0: not given
  bool lower_case = false;             // sentence_bert_config do_lower_case
  std::map<std::string, std::string> prompts;
  std::string default_prompt;  // name, a key of prompts; empty: none
  std::string pooling_source;  // the file that said so, relative to the folder: "1_Pooling/config.json"
};

// A folder without modules.json: present = false, the transformer is the folder, the rest at its default.
//
// What Quire would have to compute differently is refused by key and value, as unsupported: unknown module kinds and
// modules in an order that is not Transformer, [Pooling, [Normalize]]; several, weighted, last-token and square-root
// pooling; include_prompt false; truncate_dim; a model_type other than SentenceTransformer; a transformer_task other
// than feature-extraction; outputs other than the last hidden state; processing_kwargs. Module paths that leave the
// folder and wrong JSON types are a corrupt_file.
Result<SentenceTransformersConfig> read_sentence_transformers(const std::filesystem::path& folder);

}  // namespace quire::loader
