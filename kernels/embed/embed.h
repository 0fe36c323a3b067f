// SPDX-License-Identifier: Apache-2.0
//
// Embedding sum:  out[t][:] = word[ids[t]][:] + position[positions[t]][:] + type[types[t]][:]
// position, type may be null (term left out). Indices are in range: callers check ids before they get here.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.h"
#include "kernels/kernel_list.h"

namespace quire::kernels {

struct EmbedArgs {
  const float* word = nullptr;  // tables are dense, [entries x cols], 4-byte aligned
  const float* position = nullptr;
  const float* type = nullptr;
  const std::int32_t* ids = nullptr;
  const std::int32_t* positions = nullptr;
  const std::int32_t* types = nullptr;
  float* out = nullptr;
  Index out_stride = 0;
  Index rows = 0, cols = 0;
};

using EmbedFn = void (*)(const EmbedArgs&);

std::span<const KernelEntry<EmbedFn>> embed_kernels();

}  // namespace quire::kernels
