// SPDX-License-Identifier: Apache-2.0
//
// One level's layer norm. Included by the level files only.
#pragma once

#include "kernels/norm/layer_norm.h"
#include "kernels/simd/fma.h"
#include "kernels/simd/partial.h"
#include "kernels/simd/reduce.h"

namespace quire::kernels {

template <class Arch>
struct LayerNormImpl {
  using V = simd::Vec<Arch>;
  static constexpr Index kLanes = simd::kLanes<Arch>;
  // An addition takes 4 cycles and two start per cycle; a row has loads and stores besides, so four sums under way do.
  static constexpr Index kSums = 4;

  template <bool kPartial>
  static V load(const float* p, Index n) {
    if constexpr (kPartial) return simd::load_partial<Arch>(p, n);
    return V::load_unaligned(p);
  }

  template <bool kPartial>
  static void store(float* p, const V& x, Index n) {
    if constexpr (kPartial) {
      simd::store_partial<Arch>(p, x, n);
    } else {
      x.store_unaligned(p);
    }
  }

  // y = x (+ residual). Returns y's vector.
  template <bool kPartial>
  static V add(const float* x, const float* residual, float* y, Index n) {
    V t = load<kPartial>(x, n);
    if (residual != nullptr) t = t + load<kPartial>(residual, n);
    store<kPartial>(y, t, n);
    return t;
  }

  static float add_row(const float* x, const float* residual, float* y, Index cols) {
    const auto from = [residual](Index c) { return residual == nullptr ? nullptr : residual + c; };
    V sums[kSums] = {V(0.0f), V(0.0f), V(0.0f), V(0.0f)};
    Index c = 0;
    for (; c + kSums * kLanes <= cols; c += kSums * kLanes)
      for (Index s = 0; s < kSums; ++s) {
        const Index at = c + s * kLanes;
        sums[s] = sums[s] + add<false>(x + at, from(at), y + at, kLanes);
      }
    for (; c + kLanes <= cols; c += kLanes) sums[0] = sums[0] + add<false>(x + c, from(c), y + c, kLanes);
    if (c < cols) sums[1] = sums[1] + add<true>(x + c, from(c), y + c, cols - c);
    return simd::reduce_add<Arch>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  }

  // Sums of the deviations from a mean, and of their squares.
  struct Deviations {
    V sums[2] = {V(0.0f), V(0.0f)};
    V squares[2] = {V(0.0f), V(0.0f)};

    void take(int chain, const V& deviation) {
      sums[chain] = sums[chain] + deviation;
      squares[chain] = simd::fma<Arch>(deviation, deviation, squares[chain]);
    }
  };

  static Deviations deviations(const float* y, Index cols, const V& mean) {
    Deviations all;
    Index c = 0;
    for (; c + 2 * kLanes <= cols; c += 2 * kLanes) {
      all.take(0, V::load_unaligned(y + c) - mean);
      all.take(1, V::load_unaligned(y + c + kLanes) - mean);
    }
    if (c + kLanes <= cols) {
      all.take(0, V::load_unaligned(y + c) - mean);
      c += kLanes;
    }
    if (c < cols) all.take(1, simd::first_lanes<Arch>(simd::load_partial<Arch>(y + c, cols - c) - mean, cols - c));
    return all;
  }

  template <bool kPartial>
  static void scale(const LayerNormArgs& args, float* y, Index c, const V& mean, const V& rest, const V& factor) {
    const Index n = args.cols - c;
    const V unit = (load<kPartial>(y + c, n) - mean - rest) * factor;
    const V gamma = load<kPartial>(args.gamma + c, n);
    const V beta = args.beta == nullptr ? V(0.0f) : load<kPartial>(args.beta + c, n);
    store<kPartial>(y + c, simd::fma<Arch>(unit, gamma, beta), n);
  }

  // The mean as a float is off by up to half an ULP of its size plus what its sum lost, much when the mean is large and
  // the deviations are small. The deviations are differences of near numbers, so nearly exact: their own mean is the
  // rest that the first mean missed.
  static void row(const LayerNormArgs& args, Index r) {
    const float* residual = args.residual == nullptr ? nullptr : args.residual + r * args.residual_stride;
    float* y = args.y + r * args.y_stride;
    const auto count = static_cast<float>(args.cols);
    const V mean(add_row(args.x + r * args.x_stride, residual, y, args.cols) / count);
    const Deviations all = deviations(y, args.cols, mean);
    const float rest = simd::reduce_add<Arch>(all.sums[0] + all.sums[1]) / count;
    const float variance = simd::reduce_add<Arch>(all.squares[0] + all.squares[1]) / count - rest * rest;
    const V factor = V(1.0f) / xsimd::sqrt(V(variance + args.eps));
    Index c = 0;
    for (; c + kLanes <= args.cols; c += kLanes) scale<false>(args, y, c, mean, V(rest), factor);
    if (c < args.cols) scale<true>(args, y, c, mean, V(rest), factor);
  }

  static void run(const LayerNormArgs& args) {
    for (Index r = 0; r < args.rows; ++r) row(args, r);
  }
};

}  // namespace quire::kernels
