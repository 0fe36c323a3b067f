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
  bool present = false;                     // modules.json exists
  std::optional<PoolingMode> pooling;       // from the Pooling module, old (booleans) and new ("pooling_mode") spelling
  bool normalize = false;                   // a Normalize module
  std::filesystem::path transformer;        // folder of the Transformer module (the model folder itself, or "0_Transformer")
  Index max_sequence_length = 0;            // 0: not given
  bool lower_case = false;                  // sentence_bert_config do_lower_case
  std::map<std::string, std::string> prompts;
  std::string default_prompt;               // name; empty: none
  std::string pooling_source;               // the file that said so
};

// A folder without modules.json: present = false, the rest at its default. Unknown module kinds, several or weighted
// pooling modes, modules in an order that is not Transformer, Pooling, [Normalize]: refused by name.
Result<SentenceTransformersConfig> read_sentence_transformers(const std::filesystem::path& folder);

}  // namespace quire::loader
