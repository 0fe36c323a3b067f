// SPDX-License-Identifier: Apache-2.0
//
// Layer norm over rows, with the residual add of the step before fused into the same pass:
//
//   t = x[r][:] (+ residual[r][:]);   y[r][c] = (t[c] - mean) / sqrt(variance + eps) * gamma[c] + beta[c]
//
// variance is the mean squared deviation (Ba, Kiros, Hinton 2016). Statistics are fp32 in two passes over the row (mean
// first, then deviations), which survives a mean that is 10^4 times the deviation. y may alias x or residual.
#pragma once

#include <span>

#include "base/types.h"
#include "kernels/kernel_list.h"

namespace quire::kernels {

struct LayerNormArgs {
  const float* x = nullptr;
  Index x_stride = 0;
  const float* residual = nullptr;  // null: none
  Index residual_stride = 0;
  const float* gamma = nullptr;  // [cols]
  const float* beta = nullptr;   // [cols]; null: none
  float eps = 0;
  float* y = nullptr;
  Index y_stride = 0;
  Index rows = 0, cols = 0;
};

using LayerNormFn = void (*)(const LayerNormArgs&);  // single-threaded; callers cut rows into chunks

std::span<const KernelEntry<LayerNormFn>> layer_norm_kernels();

}  // namespace quire::kernels
