// SPDX-License-Identifier: Apache-2.0
//
// The kernels one model runs with, each chosen once from its list.
#pragma once

#include <string_view>
#include <vector>

#include "base/level.h"
#include "kernels/attention/attention_f32.h"
#include "kernels/embed/embed.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/kernel_list.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/pool/pool.h"

namespace quire::engine {

// Pointers into the constexpr lists: never null, valid for ever.
struct KernelSet {
  const kernels::KernelEntry<kernels::GemmF32>* gemm = nullptr;
  const kernels::KernelEntry<kernels::AttentionF32>* attention = nullptr;
  const kernels::KernelEntry<kernels::LayerNormFn>* layer_norm = nullptr;
  const kernels::KernelEntry<kernels::EmbedFn>* embed = nullptr;
  const kernels::KernelEntry<kernels::Pool>* pool = nullptr;

  std::vector<std::string_view> names() const;
  Level level() const;  // the highest among them: what a report may call "the level that runs"
};

// Pure.
KernelSet select_kernels(LevelSet levels);

}  // namespace quire::engine
