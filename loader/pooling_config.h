// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "loader/sentence_transformers.h"

namespace quire::loader {

struct PoolingConfig {
  PoolingMode mode = PoolingMode::mean;
  Index dimension = 0;  // 0: not given
};

// The config.json of a Pooling module. Modes as sentence-transformers 6 reads them: "pooling_mode" (a name, or a list
// of them) wins over the older booleans; without it an absent boolean is false, and none true means "mean".
Result<PoolingConfig> read_pooling_config(const std::filesystem::path& file);

}  // namespace quire::loader
