// SPDX-License-Identifier: Apache-2.0
//
// What each level's file defines.
#pragma once

#include "kernels/norm/layer_norm.h"

namespace quire::kernels {

void layer_norm_portable(const LayerNormArgs& args);
void layer_norm_avx2(const LayerNormArgs& args);
void layer_norm_avx512(const LayerNormArgs& args);

}  // namespace quire::kernels
