// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_f32_impl.h"
#include "kernels/gemm/gemm_f32_levels.h"

namespace quire::kernels {

static_assert(TileF32<simd::Portable>::kRows == kGemmTilePortable.rows);
static_assert(TileF32<simd::Portable>::kColumns == kGemmTilePortable.columns);

void gemm_f32_portable(const GemmF32Args& args, Index row_begin, Index row_end, Index panel_begin, Index panel_end) {
  GemmF32Impl<simd::Portable>::block(args, row_begin, row_end, panel_begin, panel_end);
}

}  // namespace quire::kernels
