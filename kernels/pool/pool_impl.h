// SPDX-License-Identifier: Apache-2.0
//
// One level's pooling. Included by the level files only.
#pragma once

#include "kernels/pool/pool.h"
#include "kernels/simd/fma.h"
#include "kernels/simd/partial.h"
#include "kernels/simd/reduce.h"

namespace quire::kernels {

template <class Arch>
struct PoolImpl {
  using V = simd::Vec<Arch>;
  static constexpr Index kLanes = simd::kLanes<Arch>;
  // Vectors of a row that are folded at a time: enough chains to hide the latency of an addition, and few enough for
  // the registers of every level.
  static constexpr Index kVectors = 8;

  struct Add {
    static V fold(const V& sum, const V& x) { return sum + x; }
  };
  struct Max {
    // maxps gives its second operand when either is NaN, so a NaN met earlier is kept apart. isnan, since xsimd 8.1
    // compares with NaN by != as false from AVX on.
    static V fold(const V& top, const V& x) { return xsimd::select(xsimd::isnan(top), top, xsimd::max(top, x)); }
  };

  template <class Fold, Index kCount>
  static void fold_vectors(const PoolArgs& args, Index c, const V& divisor) {
    V folded[kCount];
    const float* x = args.x + args.begin * args.x_stride + c;
    for (Index i = 0; i < kCount; ++i) folded[i] = V::load_unaligned(x + i * kLanes);
    for (Index t = args.begin + 1; t < args.end; ++t) {
      x += args.x_stride;
      for (Index i = 0; i < kCount; ++i) folded[i] = Fold::fold(folded[i], V::load_unaligned(x + i * kLanes));
    }
    for (Index i = 0; i < kCount; ++i) (folded[i] / divisor).store_unaligned(args.out + c + i * kLanes);
  }

  template <class Fold>
  static void fold_rest(const PoolArgs& args, Index c, const V& divisor) {
    const Index n = args.cols - c;
    V folded = simd::load_partial<Arch>(args.x + args.begin * args.x_stride + c, n);
    for (Index t = args.begin + 1; t < args.end; ++t)
      folded = Fold::fold(folded, simd::load_partial<Arch>(args.x + t * args.x_stride + c, n));
    simd::store_partial<Arch>(args.out + c, folded / divisor, n);
  }

  template <class Fold>
  static void fold(const PoolArgs& args, float divisor) {
    Index c = 0;
    for (; c + kVectors * kLanes <= args.cols; c += kVectors * kLanes)
      fold_vectors<Fold, kVectors>(args, c, V(divisor));
    for (; c + kLanes <= args.cols; c += kLanes) fold_vectors<Fold, 1>(args, c, V(divisor));
    if (c < args.cols) fold_rest<Fold>(args, c, V(divisor));
  }

  static void mean(const PoolArgs& args) { fold<Add>(args, static_cast<float>(args.end - args.begin)); }
  static void max(const PoolArgs& args) { fold<Max>(args, 1.0f); }

  static void l2_normalize(float* v, Index n) {
    V squares(0.0f);
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      const V x = V::load_unaligned(v + i);
      squares = simd::fma<Arch>(x, x, squares);
    }
    if (i < n) {
      const V x = simd::load_partial<Arch>(v + i, n - i);
      squares = simd::fma<Arch>(x, x, squares);
    }
    const V root = xsimd::sqrt(V(simd::reduce_add<Arch>(squares)));
    const V length = xsimd::select(root < V(1e-12f), V(1e-12f), root);  // NaN stays
    for (i = 0; i + kLanes <= n; i += kLanes) (V::load_unaligned(v + i) / length).store_unaligned(v + i);
    if (i < n) simd::store_partial<Arch>(v + i, simd::load_partial<Arch>(v + i, n - i) / length, n - i);
  }
};

}  // namespace quire::kernels
