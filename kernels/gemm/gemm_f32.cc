// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm_f32.h"

#include <algorithm>

#include "kernels/gemm/gemm_f32_levels.h"

namespace quire::kernels {
namespace {

constexpr KernelEntry<GemmF32> kList[] = {
#if defined(__x86_64__)
    {Level::avx512, "gemm_f32_avx512", {kGemmTileAvx512.rows, kGemmTileAvx512.columns, &gemm_f32_avx512}},
    {Level::avx2, "gemm_f32_avx2", {kGemmTileAvx2.rows, kGemmTileAvx2.columns, &gemm_f32_avx2}},
#endif
    {Level::portable, "gemm_f32_portable", {kGemmTilePortable.rows, kGemmTilePortable.columns, &gemm_f32_portable}},
};

Index divide_up(Index a, Index b) { return (a + b - 1) / b; }

// Columns of a chunk: what a level's blocks are made for (kBlockColumns).
constexpr Index kChunkColumns = 128;

// Chunks a thread should find in the counter: enough to even out a core that is slowed down for a while.
constexpr Index kChunksPerThread = 8;

// How the product is cut. Bits do not depend on it.
struct Cut {
  Index rows, panels;  // of a chunk
  Index row_chunks, panel_chunks;
};

Cut cut(const GemmF32& kernel, const GemmF32Args& args, Index threads) {
  const Index panels = divide_up(args.n, kernel.nr);
  const Index group = std::min(panels, kChunkColumns / kernel.nr);
  const Index panel_chunks = divide_up(panels, group);
  const Index wanted_row_chunks = divide_up(threads * kChunksPerThread, panel_chunks);
  const Index strips = divide_up(args.m, kernel.mr);
  const Index row_chunks = threads == 1 ? 1 : std::min(strips, wanted_row_chunks);
  const Index rows = divide_up(args.m, row_chunks);
  return {rows, group, divide_up(args.m, rows), divide_up(panels, group)};
}

}  // namespace

std::span<const KernelEntry<GemmF32>> gemm_f32_kernels() { return kList; }

Index packed_size(const GemmF32& kernel, Index n, Index k) { return round_up(n, kernel.nr) * k; }

void pack(const GemmF32& kernel, const float* w, Index ldw, Index n, Index k, Index first_column, Index total_n,
          float* packed) {
  const auto panel_of = [&](Index column) { return packed + column / kernel.nr * kernel.nr * k + column % kernel.nr; };
  for (Index row = 0; row < n; ++row) {
    float* to = panel_of(first_column + row);
    for (Index step = 0; step < k; ++step) to[step * kernel.nr] = w[row * ldw + step];
  }
  if (first_column + n == total_n)
    for (Index column = total_n; column < round_up(total_n, kernel.nr); ++column)
      for (Index step = 0; step < k; ++step) panel_of(column)[step * kernel.nr] = 0.0f;
}

void gemm(const GemmF32& kernel, const GemmF32Args& args, ThreadPool& pool) {
  if (args.m <= 0 || args.n <= 0) return;
  const Cut chunks = cut(kernel, args, pool.threads());
  const Index panels = divide_up(args.n, kernel.nr);
  // Neighbouring chunks share a group of panels, so that both threads read the same weights at about the same time.
  pool.parallel_for(chunks.row_chunks * chunks.panel_chunks, [&](Index chunk, int) {
    const Index row = chunk % chunks.row_chunks * chunks.rows;
    const Index panel = chunk / chunks.row_chunks * chunks.panels;
    kernel.block(args, row, std::min(args.m, row + chunks.rows), panel, std::min(panels, panel + chunks.panels));
  });
}

}  // namespace quire::kernels
