// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention_f32_impl.h"
#include "kernels/attention/attention_f32_levels.h"

namespace quire::kernels {

void attention_pack_f32_avx512(const AttentionF32Args& args, Index first, Index g, const PackedHead& head) {
  AttentionF32Impl<simd::Avx512>::pack(args, first, g, head);
}

void attention_f32_avx512(const AttentionF32Args& args, Index row_begin, Index row_end, Index h, const PackedHead& head,
                          float* scratch) {
  AttentionF32Impl<simd::Avx512>::attend(args, row_begin, row_end, h, head, scratch);
}

}  // namespace quire::kernels
