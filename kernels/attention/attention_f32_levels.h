// SPDX-License-Identifier: Apache-2.0
//
// What each level's file defines.
#pragma once

#include "kernels/attention/attention_f32.h"

namespace quire::kernels {

void attention_pack_f32_portable(const AttentionF32Args& args, Index first, Index g, const PackedHead& head);
void attention_pack_f32_avx2(const AttentionF32Args& args, Index first, Index g, const PackedHead& head);
void attention_pack_f32_avx512(const AttentionF32Args& args, Index first, Index g, const PackedHead& head);

void attention_f32_portable(const AttentionF32Args& args, Index row_begin, Index row_end, Index h,
                            const PackedHead& head, float* scratch);
void attention_f32_avx2(const AttentionF32Args& args, Index row_begin, Index row_end, Index h, const PackedHead& head,
                        float* scratch);
void attention_f32_avx512(const AttentionF32Args& args, Index row_begin, Index row_end, Index h, const PackedHead& head,
                          float* scratch);

}  // namespace quire::kernels
