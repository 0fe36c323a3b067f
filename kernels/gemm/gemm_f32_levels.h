// SPDX-License-Identifier: Apache-2.0
//
// What each level's file defines, and the tile it is built with.
#pragma once

#include "kernels/gemm/gemm_f32.h"

namespace quire::kernels {

struct GemmTile {
  Index rows, columns;
};
inline constexpr GemmTile kGemmTilePortable{6, 8};
inline constexpr GemmTile kGemmTileAvx2{6, 16};
inline constexpr GemmTile kGemmTileAvx512{14, 32};

void gemm_f32_portable(const GemmF32Args& args, Index row_begin, Index row_end, Index panel_begin, Index panel_end);
void gemm_f32_avx2(const GemmF32Args& args, Index row_begin, Index row_end, Index panel_begin, Index panel_end);
void gemm_f32_avx512(const GemmF32Args& args, Index row_begin, Index row_end, Index panel_begin, Index panel_end);

}  // namespace quire::kernels
