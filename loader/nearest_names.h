// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "loader/safetensors.h"

namespace quire::loader {

// The up to three tensors whose names one most likely meant: those that differ by a prefix ("bert.") first, then those
// that few edits turn into `name`. `"a", "b"`; empty: none is near. Time is bounded whatever the names are.
std::string nearest_names(std::string_view name, std::span<const TensorView> tensors);

}  // namespace quire::loader
