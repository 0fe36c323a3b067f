// SPDX-License-Identifier: Apache-2.0
//
// Every tensor a spec names, with the shape it must have, checked against the file headers before anything is packed.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "base/types.h"
#include "engine/spec.h"
#include "loader/weights.h"

namespace quire::engine {

struct TensorNeed {
  std::string name;
  std::vector<Index> shape;
};

std::vector<TensorNeed> tensors_needed(const ModelSpec& spec);

// Existence, shape and a floating-point type that can be widened (F32, F16, BF16), all from the header: no value is
// read.
Status check_tensors(const ModelSpec& spec, const loader::Weights& weights);

}  // namespace quire::engine
