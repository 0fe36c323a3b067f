// SPDX-License-Identifier: Apache-2.0
//
// kernels/simd is made of templates that only a file with a level's flags can instantiate. These functions bring them
// to the tests, as one more list of levels.
#pragma once

#include <span>

#include "base/types.h"
#include "kernels/kernel_list.h"

namespace quire::test {

struct SimdOps {
  using Map = void (*)(const float* x, float* y, Index n);  // y[i] = f(x[i]); n a multiple of `lanes`
  Index lanes = 0;
  Map exp_nonpositive = nullptr;
  Map relu = nullptr;
  Map silu = nullptr;
  Map tanh = nullptr;
  Map erf_of_x_over_sqrt2 = nullptr;
  Map gelu_erf = nullptr;
  Map gelu_tanh = nullptr;
  void (*fma)(const float* a, const float* b, const float* c, float* out) = nullptr;  // one vector
  void (*load_partial)(const float* from, float* lanes_out, Index n) = nullptr;
  void (*store_partial)(const float* lanes_in, float* to, Index n) = nullptr;
  void (*first_lanes)(const float* lanes_in, float* lanes_out, Index n) = nullptr;
  float (*reduce_add)(const float* lanes_in) = nullptr;
  float (*reduce_max)(const float* lanes_in) = nullptr;
};

std::span<const kernels::KernelEntry<SimdOps>> simd_ops();

extern const SimdOps kSimdOpsPortable;
extern const SimdOps kSimdOpsAvx2;
extern const SimdOps kSimdOpsAvx512;

}  // namespace quire::test
