// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_f32_impl.h"
#include "kernels/gemm/gemm_f32_levels.h"

namespace quire::kernels {

static_assert(TileF32<simd::Avx2>::kRows == kGemmTileAvx2.rows);
static_assert(TileF32<simd::Avx2>::kColumns == kGemmTileAvx2.columns);

void gemm_f32_avx2(const GemmF32Args& args, Index row_begin, Index row_end, Index panel_begin, Index panel_end) {
  GemmF32Impl<simd::Avx2>::block(args, row_begin, row_end, panel_begin, panel_end);
}

}  // namespace quire::kernels
