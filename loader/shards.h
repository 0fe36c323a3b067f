// SPDX-License-Identifier: Apache-2.0
//
// Which safetensors files make up a model folder's weights.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace quire::loader {

struct WeightFiles {
  std::filesystem::path source;                // model.safetensors, or the index
  std::vector<std::string> files;              // names inside the folder, sorted, each once
  std::map<std::string, std::string> file_of;  // tensor -> file, as the index promises; empty without an index
};

Result<WeightFiles> find_weight_files(const std::filesystem::path& folder);

}  // namespace quire::loader
