// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm/layer_norm_impl.h"
#include "kernels/norm/layer_norm_levels.h"

namespace quire::kernels {

void layer_norm_avx2(const LayerNormArgs& args) { LayerNormImpl<simd::Avx2>::run(args); }

}  // namespace quire::kernels
