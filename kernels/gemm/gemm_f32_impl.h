// SPDX-License-Identifier: Apache-2.0
//
// One level's fp32 GEMM. Included by the level files only.
#pragma once

#include "kernels/gemm/gemm_f32.h"
#include "kernels/simd/math.h"
#include "kernels/simd/partial.h"
#include "kernels/simd/tile_f32.h"

namespace quire::kernels {

template <class Arch>
struct GemmF32Impl {
  using V = simd::Vec<Arch>;
  using Tile = TileF32<Arch>;
  static constexpr Index kLanes = Tile::kLanes;
  static constexpr Index kColumns = Tile::kColumns;

  template <Activation kActivation>
  static V activate(const V& x) {
    if constexpr (kActivation == Activation::relu) return simd::relu<Arch>(x);
    if constexpr (kActivation == Activation::gelu_erf) return simd::gelu_erf<Arch>(x);
    if constexpr (kActivation == Activation::gelu_tanh) return simd::gelu_tanh<Arch>(x);
    if constexpr (kActivation == Activation::silu) return simd::silu<Arch>(x);
    if constexpr (kActivation == Activation::tanh) return simd::tanh<Arch>(x);
    return x;
  }

  // One vector of sums to its place in C. n < kLanes: the right edge of C.
  template <Activation kActivation, bool kPartial>
  static void finish_vector(const GemmF32Args& args, const float* sums, Index row, Index column, Index n) {
    const auto load = [n](const float* p) { return kPartial ? simd::load_partial<Arch>(p, n) : V::load_unaligned(p); };
    V x = V::load_unaligned(sums);
    if (args.bias != nullptr) x = x + load(args.bias + column);
    x = activate<kActivation>(x);
    if (args.residual != nullptr) x = x + load(args.residual + row * args.ldr + column);
    float* c = args.c + row * args.ldc + column;
    if constexpr (kPartial) {
      simd::store_partial<Arch>(c, x, n);
    } else {
      x.store_unaligned(c);
    }
  }

  // The epilogue runs on the tile while it is in L1, a few hundred cycles after it was summed: once per K
  // multiply-adds, so its loads and stores are lost among the tile's.
  template <Activation kActivation>
  static void finish_tile(const GemmF32Args& args, const float* sums, Index row, Index rows, Index column) {
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < kColumns && column + c < args.n; c += kLanes) {
        const Index left = args.n - column - c;
        const float* from = sums + r * kColumns + c;
        if (left >= kLanes) {
          finish_vector<kActivation, false>(args, from, row + r, column + c, kLanes);
        } else {
          finish_vector<kActivation, true>(args, from, row + r, column + c, left);
        }
      }
  }

  // A block small enough for a thread's caches: kBlockColumns columns of B over kBlockDepth steps of k are 256 KiB,
  // half of Zen 3's L2; a strip of A over as many steps is at most 28 KiB and stays in L1 while the panels pass. Its
  // sums wait here between one stretch of k and the next: storing and loading a float does not change it, so the bits
  // are those of one long sum.
  static constexpr Index kBlockDepth = 512;
  static constexpr Index kBlockColumns = 128;
  static constexpr Index kBlockPanels = kBlockColumns / kColumns;
  static constexpr Index kBlockStrips = 8;
  static constexpr Index kBlockRows = kBlockStrips * Tile::kRows;
  static constexpr Index kTileSize = Tile::kRows * kColumns;

  static Index divide_up(Index a, Index b) { return (a + b - 1) / b; }

  // The start of part i when [begin, end) is cut into `parts` nearly equal parts: a short last strip would have too few
  // sums under way to hide the latency of an FMA.
  static Index part(Index begin, Index end, Index i, Index parts) { return begin + (end - begin) * i / parts; }

  struct Range {
    Index begin, end;
  };

  template <Activation kActivation>
  static void stretch(const GemmF32Args& args, Range rows, Range panels, Range depth, float* sums) {
    const bool first = depth.begin == 0, last = depth.end == args.k;
    const Index strips = divide_up(rows.end - rows.begin, Tile::kRows);
    for (Index strip = 0; strip < strips; ++strip) {
      const Index row = part(rows.begin, rows.end, strip, strips);
      const Index height = part(rows.begin, rows.end, strip + 1, strips) - row;
      const auto multiply = first ? TileTable<Arch, Tile::kVectors, false>::of(height)
                                  : TileTable<Arch, Tile::kVectors, true>::of(height);
      for (Index panel = panels.begin; panel < panels.end; ++panel) {
        // With one stretch only, every tile uses the same place, which so stays in L1.
        float* tile = first && last ? sums : sums + (strip * kBlockPanels + panel - panels.begin) * kTileSize;
        multiply(args.a + row * args.lda + depth.begin, args.lda,
                 args.packed_w + (panel * args.k + depth.begin) * kColumns, kColumns, depth.end - depth.begin, tile,
                 kColumns);
        if (last) finish_tile<kActivation>(args, tile, row, height, panel * kColumns);
      }
    }
  }

  template <Activation kActivation>
  static void run(const GemmF32Args& args, Range rows, Range panels) {
    alignas(kAlignment) float sums[kBlockStrips * kBlockPanels * kTileSize];
    const Index stretches = args.k > kBlockDepth ? divide_up(args.k, kBlockDepth) : 1;
    for (Index i = 0; i < stretches; ++i)
      stretch<kActivation>(args, rows, panels, {part(0, args.k, i, stretches), part(0, args.k, i + 1, stretches)},
                           sums);
  }

  static void block(const GemmF32Args& args, Index row_begin, Index row_end, Index panel_begin, Index panel_end) {
    constexpr void (*kRun[])(const GemmF32Args&, Range, Range) = {
        &run<Activation::none>,      &run<Activation::relu>, &run<Activation::gelu_erf>,
        &run<Activation::gelu_tanh>, &run<Activation::silu>, &run<Activation::tanh>};
    const Index row_blocks = divide_up(row_end - row_begin, kBlockRows);
    for (Index panel = panel_begin; panel < panel_end; panel += kBlockPanels) {
      const Range panels{panel, panel_end - panel < kBlockPanels ? panel_end : panel + kBlockPanels};
      for (Index i = 0; i < row_blocks; ++i)
        kRun[static_cast<int>(args.activation)](
            args, {part(row_begin, row_end, i, row_blocks), part(row_begin, row_end, i + 1, row_blocks)}, panels);
    }
  }
};

}  // namespace quire::kernels
