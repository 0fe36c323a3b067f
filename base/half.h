// SPDX-License-Identifier: Apache-2.0
//
// 16-bit float formats as storage. Conversions to fp32 are exact; to 16 bits round to nearest, ties to even; NaN stays
// NaN (quiet), infinities and signed zeros stay, denormals are kept.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace quire {

struct Bf16 {
  std::uint16_t bits = 0;
};
struct F16 {
  std::uint16_t bits = 0;
};

float to_float(Bf16 value) noexcept;
float to_float(F16 value) noexcept;
Bf16 to_bf16(float value) noexcept;
F16 to_f16(float value) noexcept;

// out[i] = in[i] for i in [0, n). `in` may have any alignment (bytes of a mapped file).
void widen_bf16(const void* in, Index n, float* out) noexcept;
void widen_f16(const void* in, Index n, float* out) noexcept;

}  // namespace quire
