// SPDX-License-Identifier: Apache-2.0
//
// One level's attention. Included by the level files only.
#pragma once

#include <limits>

#include "base/aligned_memory.h"
#include "kernels/attention/attention_f32.h"
#include "kernels/simd/math.h"
#include "kernels/simd/partial.h"
#include "kernels/simd/reduce.h"
#include "kernels/simd/tile_f32.h"

namespace quire::kernels {

template <class Arch>
struct AttentionF32Impl {
  using V = simd::Vec<Arch>;
  using Tile = TileF32<Arch>;
  static constexpr Index kLanes = Tile::kLanes;
  static constexpr Index kPanel = Tile::kColumns;
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

  static Index padded(Index head_dim) { return (head_dim + kLanes - 1) / kLanes * kLanes; }

  static void pack_keys(const AttentionF32Args& args, Index first, Index g, const PackedHead& head) {
    const Index d = args.shape.head_dim;
    const float* from = args.k + first * args.k_stride + g * d;
    const Index padded_keys = (head.n + kPanel - 1) / kPanel * kPanel;
    for (Index key = 0; key < padded_keys; ++key) {
      float* to = head.keys + key / kPanel * kPanel * d + key % kPanel;
      for (Index i = 0; i < d; ++i) to[i * kPanel] = key < head.n ? from[key * args.k_stride + i] : 0.0f;
    }
  }

  static void pack_values(const AttentionF32Args& args, Index first, Index g, const PackedHead& head) {
    const Index d = args.shape.head_dim;
    const Index stride = padded(d);
    for (Index key = 0; key < head.n; ++key) {
      const float* from = args.v + (first + key) * args.v_stride + g * d;
      float* to = head.values + key * stride;
      Index i = 0;
      for (; i + kLanes <= d; i += kLanes) V::load_unaligned(from + i).store_unaligned(to + i);
      if (i < d) simd::load_partial<Arch>(from + i, d - i).store_unaligned(to + i);
    }
  }

  static void pack(const AttentionF32Args& args, Index first, Index g, const PackedHead& head) {
    pack_keys(args, first, g, head);
    pack_values(args, first, g, head);
  }

  // What a query row knows after the keys seen so far.
  struct RowState {
    float maximum;  // of the scaled scores
    float sum;      // of exp(score - maximum)
  };

  static float larger(float a, float b) { return a > b ? a : b; }

  static float exp_scalar(float x) {
    alignas(kAlignment) float lanes[kLanes];
    simd::exp_nonpositive<Arch>(V(x)).store_aligned(lanes);
    return lanes[0];
  }

  // scores[0, n) become exp(scale * score - maximum). Returns the factor that brings earlier sums to the new maximum.
  static float exponentiate(float* scores, Index n, float scale, RowState& state) {
    for (Index j = n; j % kLanes != 0; ++j) scores[j] = -kInfinity;
    V top(-kInfinity);
    for (Index j = 0; j < n; j += kLanes) top = xsimd::max(top, V::load_unaligned(scores + j));
    const float maximum = larger(state.maximum, scale * simd::reduce_max<Arch>(top));
    const float factor = exp_scalar(state.maximum - maximum);
    V sum(0.0f);
    for (Index j = 0; j < n; j += kLanes) {
      // Not fused: the product is rounded as the maximum was, so no difference is above 0, however large the scores.
      const V x = V::load_unaligned(scores + j) * V(scale) - V(maximum);
      const V p = simd::exp_nonpositive<Arch>(x);
      sum = sum + p;
      p.store_unaligned(scores + j);
    }
    state.sum = state.sum * factor + simd::reduce_add<Arch>(sum);
    state.maximum = maximum;
    return factor;
  }

  static void scale_row(float* row, Index n, float factor) {
    for (Index i = 0; i < n; i += kLanes) (V::load_unaligned(row + i) * V(factor)).store_unaligned(row + i);
  }

  // scores[r][j] = q[r] . k[j] for the keys of a block.
  static void score(const float* q, Index q_stride, Index rows, const float* keys, Index n, Index d, float* scores) {
    const auto multiply = TileTable<Arch, Tile::kVectors, false>::of(rows);
    for (Index j = 0; j < n; j += kPanel) multiply(q, q_stride, keys + j * d, kPanel, d, scores + j, kScoreStride);
  }

  // sums[r] (+)= p[r] . values for the keys of a block.
  template <bool kAccumulate>
  static void weigh(const float* p, Index rows, const float* values, Index n, Index stride, float* sums) {
    const auto pair = TileTable<Arch, 2, kAccumulate>::of(rows);
    Index i = 0;
    for (; i + 2 * kLanes <= stride; i += 2 * kLanes) pair(p, kScoreStride, values + i, stride, n, sums + i, stride);
    if (i < stride) TileTable<Arch, 1, kAccumulate>::of(rows)(p, kScoreStride, values + i, stride, n, sums + i, stride);
  }

  static void store_row(const float* sums, float factor, Index d, float* out) {
    const V f(factor);
    Index i = 0;
    for (; i + kLanes <= d; i += kLanes) (V::load_unaligned(sums + i) * f).store_unaligned(out + i);
    if (i < d) simd::store_partial<Arch>(out + i, V::load_unaligned(sums + i) * f, d - i);
  }

  // One strip of at most Tile::kRows query rows against all keys.
  static void strip(const AttentionF32Args& args, Index row, Index rows, Index h, const PackedHead& head, float* scores,
                    float* sums) {
    const Index d = args.shape.head_dim, stride = padded(d);
    const float* q = args.q + row * args.q_stride + h * d;
    RowState states[Tile::kRows];
    for (RowState& state : states) state = {-kInfinity, 0.0f};
    for (Index begin = 0; begin < head.n; begin += kKeyBlock) {
      const Index n = head.n - begin < kKeyBlock ? head.n - begin : kKeyBlock;
      score(q, args.q_stride, rows, head.keys + begin * d, n, d, scores);
      for (Index r = 0; r < rows; ++r) {
        const float factor = exponentiate(scores + r * kScoreStride, n, args.shape.scale, states[r]);
        if (begin > 0 && factor != 1.0f) scale_row(sums + r * stride, stride, factor);
      }
      if (begin == 0) {
        weigh<false>(scores, rows, head.values, n, stride, sums);
      } else {
        weigh<true>(scores, rows, head.values + begin * stride, n, stride, sums);
      }
    }
    for (Index r = 0; r < rows; ++r)
      store_row(sums + r * stride, 1.0f / states[r].sum, d, args.out + (row + r) * args.out_stride + h * d);
  }

  static void attend(const AttentionF32Args& args, Index row_begin, Index row_end, Index h, const PackedHead& head,
                     float* scratch) {
    float* scores = scratch;
    float* sums = scratch + Tile::kRows * kScoreStride;
    const Index strips = (row_end - row_begin + Tile::kRows - 1) / Tile::kRows;
    for (Index s = 0; s < strips; ++s) {
      const Index row = row_begin + (row_end - row_begin) * s / strips;
      strip(args, row, row_begin + (row_end - row_begin) * (s + 1) / strips - row, h, head, scores, sums);
    }
  }
};

}  // namespace quire::kernels
