// SPDX-License-Identifier: Apache-2.0
//
// The one place that knows which model families exist.
#pragma once

#include <filesystem>

#include "base/status.h"
#include "engine/spec.h"
#include "loader/weights.h"

namespace quire::engine {

// Reads config.json of a transformer folder, chooses the family and returns its spec with every tensor checked against
// `weights`. An unknown model_type or architecture is `unsupported` and names what runs.
Result<ModelSpec> read_model_spec(const std::filesystem::path& folder, const loader::Weights& weights);

}  // namespace quire::engine
