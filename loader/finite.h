// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.h"

namespace quire::loader {

// The index of the first NaN or infinity in values[0, n), or -1. Runs at about the speed of memory.
Index first_non_finite(const float* values, Index n);

}  // namespace quire::loader
