// SPDX-License-Identifier: Apache-2.0
//
// One level's embedding sum. Included by the level files only.
#pragma once

#include "kernels/embed/embed.h"
#include "kernels/simd/partial.h"

namespace quire::kernels {

template <class Arch>
struct EmbedImpl {
  using V = simd::Vec<Arch>;
  static constexpr Index kLanes = simd::kLanes<Arch>;

  // Where token t's entry of a table begins; null for a term that is left out.
  static const float* entry(const float* table, const std::int32_t* indices, Index t, Index cols) {
    return table == nullptr ? nullptr : table + indices[t] * cols;
  }

  template <bool kPartial>
  static void sum(const float* word, const float* position, const float* type, float* out, Index c, Index n) {
    const auto load = [c, n](const float* from) {
      return kPartial ? simd::load_partial<Arch>(from + c, n) : V::load_unaligned(from + c);
    };
    V x = load(word);
    if (position != nullptr) x = x + load(position);
    if (type != nullptr) x = x + load(type);
    if constexpr (kPartial) {
      simd::store_partial<Arch>(out + c, x, n);
    } else {
      x.store_unaligned(out + c);
    }
  }

  static void run(const EmbedArgs& args) {
    for (Index t = 0; t < args.rows; ++t) {
      const float* word = entry(args.word, args.ids, t, args.cols);
      const float* position = entry(args.position, args.positions, t, args.cols);
      const float* type = entry(args.type, args.types, t, args.cols);
      float* out = args.out + t * args.out_stride;
      Index c = 0;
      for (; c + kLanes <= args.cols; c += kLanes) sum<false>(word, position, type, out, c, kLanes);
      if (c < args.cols) sum<true>(word, position, type, out, c, args.cols - c);
    }
  }
};

}  // namespace quire::kernels
