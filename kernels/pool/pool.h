// SPDX-License-Identifier: Apache-2.0
//
// From token rows to one vector per sequence. Tokens are packed, so there is no mask: rows [begin, end) are the
// sequence.
//
//   mean  out[c] = sum_t x[t][c] / (end - begin)      summed in ascending t, fp32
//   max   out[c] = max_t x[t][c]                       NaN when one of them is
//   cls   out[c] = x[begin][c]
//
// l2_normalize: v[c] / max(sqrt(sum v^2), 1e-12), in place (torch.nn.functional.normalize).
#pragma once

#include <span>

#include "base/types.h"
#include "kernels/kernel_list.h"

namespace quire::kernels {

struct PoolArgs {
  const float* x = nullptr;
  Index x_stride = 0;
  Index begin = 0, end = 0;  // begin < end
  Index cols = 0;
  float* out = nullptr;
};

struct Pool {
  void (*mean)(const PoolArgs&) = nullptr;
  void (*max)(const PoolArgs&) = nullptr;
  void (*l2_normalize)(float* v, Index n) = nullptr;
};

std::span<const KernelEntry<Pool>> pool_kernels();

void pool_cls(const PoolArgs& args);  // a copy; no level needed

}  // namespace quire::kernels
