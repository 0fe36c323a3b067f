// SPDX-License-Identifier: Apache-2.0
//
// Included by the level files only.
#pragma once

#include "bench/kernels/peak.h"
#include "kernels/simd/fma.h"

namespace quire::bench {

template <class Arch>
struct Peak {
  using V = kernels::simd::Vec<Arch>;
  // Two multiply-adds start per cycle and take 4 (5 where a product and a sum take turns): more than 10 chains are
  // always ready, and 12 fit the 16 registers of every level.
  static constexpr int kChains = 12;

  static double run(Index rounds) {
    V chains[kChains];
    for (int i = 0; i < kChains; ++i) chains[i] = V(1.0f + static_cast<float>(i));
    V factor(0.5f), term(0.25f);
    for (Index round = 0; round < rounds; ++round) {
      for (V& chain : chains) chain = kernels::simd::fma<Arch>(chain, factor, term);
      // The compiler may not see that the chains come to rest.
      asm volatile("" : "+x"(factor.data), "+x"(term.data));
    }
    for (V& chain : chains) asm volatile("" : : "x"(chain.data));
    return 2.0 * kChains * static_cast<double>(kernels::simd::kLanes<Arch> * rounds);
  }
};

}  // namespace quire::bench
