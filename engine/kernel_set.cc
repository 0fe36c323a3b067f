// SPDX-License-Identifier: Apache-2.0
#include "engine/kernel_set.h"

#include <algorithm>

namespace quire::engine {

std::vector<std::string_view> KernelSet::names() const {
  return {gemm->name, attention->name, layer_norm->name, embed->name, pool->name};
}

Level KernelSet::level() const {
  return std::max({gemm->level, attention->level, layer_norm->level, embed->level, pool->level});
}

KernelSet select_kernels(LevelSet levels) {
  KernelSet set;
  set.gemm = &kernels::select(kernels::gemm_f32_kernels(), levels);
  set.attention = &kernels::select(kernels::attention_f32_kernels(), levels);
  set.layer_norm = &kernels::select(kernels::layer_norm_kernels(), levels);
  set.embed = &kernels::select(kernels::embed_kernels(), levels);
  set.pool = &kernels::select(kernels::pool_kernels(), levels);
  return set;
}

}  // namespace quire::engine
