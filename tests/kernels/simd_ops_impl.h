// SPDX-License-Identifier: Apache-2.0
//
// Included by the level files only.
#pragma once

#include "kernels/simd/math.h"
#include "kernels/simd/partial.h"
#include "kernels/simd/reduce.h"
#include "tests/kernels/simd_ops.h"

namespace quire::test {

template <class Arch>
struct SimdOpsImpl {
  using V = kernels::simd::Vec<Arch>;
  static constexpr Index kLanes = kernels::simd::kLanes<Arch>;

  template <V (*kFunction)(const V&)>
  static void map(const float* x, float* y, Index n) {
    for (Index i = 0; i < n; i += kLanes) kFunction(V::load_unaligned(x + i)).store_unaligned(y + i);
  }

  static void fma(const float* a, const float* b, const float* c, float* out) {
    kernels::simd::fma<Arch>(V::load_unaligned(a), V::load_unaligned(b), V::load_unaligned(c)).store_unaligned(out);
  }
  static void load_partial(const float* from, float* lanes, Index n) {
    kernels::simd::load_partial<Arch>(from, n).store_unaligned(lanes);
  }
  static void store_partial(const float* lanes, float* to, Index n) {
    kernels::simd::store_partial<Arch>(to, V::load_unaligned(lanes), n);
  }
  static void first_lanes(const float* from, float* to, Index n) {
    kernels::simd::first_lanes<Arch>(V::load_unaligned(from), n).store_unaligned(to);
  }
  static float reduce_add(const float* lanes) { return kernels::simd::reduce_add<Arch>(V::load_unaligned(lanes)); }
  static float reduce_max(const float* lanes) { return kernels::simd::reduce_max<Arch>(V::load_unaligned(lanes)); }

  static constexpr SimdOps kOps{kLanes,
                                &map<kernels::simd::exp_nonpositive<Arch>>,
                                &map<kernels::simd::relu<Arch>>,
                                &map<kernels::simd::silu<Arch>>,
                                &map<kernels::simd::tanh<Arch>>,
                                &map<kernels::simd::erf_of_x_over_sqrt2<Arch>>,
                                &map<kernels::simd::gelu_erf<Arch>>,
                                &map<kernels::simd::gelu_tanh<Arch>>,
                                &fma,
                                &load_partial,
                                &store_partial,
                                &first_lanes,
                                &reduce_add,
                                &reduce_max};
};

}  // namespace quire::test
