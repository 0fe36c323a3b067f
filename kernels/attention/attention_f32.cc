// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention_f32.h"

#include <algorithm>

#include "base/aligned_memory.h"
#include "kernels/attention/attention_f32_levels.h"
#include "kernels/gemm/gemm_f32_levels.h"

namespace quire::kernels {
namespace {

constexpr AttentionF32 functions(GemmTile tile, decltype(AttentionF32::pack) pack,
                                 decltype(AttentionF32::attend) attend) {
  return {tile.columns, tile.columns / 2, tile.rows, pack, attend};
}

constexpr KernelEntry<AttentionF32> kList[] = {
#if defined(__x86_64__)
    {Level::avx512, "attention_f32_avx512",
     functions(kGemmTileAvx512, &attention_pack_f32_avx512, &attention_f32_avx512)},
    {Level::avx2, "attention_f32_avx2", functions(kGemmTileAvx2, &attention_pack_f32_avx2, &attention_f32_avx2)},
#endif
    {Level::portable, "attention_f32_portable",
     functions(kGemmTilePortable, &attention_pack_f32_portable, &attention_f32_portable)},
};

constexpr Index kFloatsPerLine = kAlignment / static_cast<Index>(sizeof(float));

// Strips of query rows to a work unit: one visit of the keys in L2 serves several strips, and a long text still gives
// every thread many units.
constexpr Index kStripsPerUnit = 4;

// Where things are in the workspace, in elements from its start.
//
//   tables   two Index arrays over sequences: padded keys and work units that stand before each
//   keys     [sequence][kv head] packed panels;   values  [sequence][kv head] packed rows
//   scratch  one piece per thread
struct Layout {
  Index keys, values, scratch, scratch_size, total;
};

Layout layout(const AttentionF32& kernel, const AttentionShape& shape, Index tokens, Index sequences, int threads) {
  const Index tables =
      round_up(2 * (sequences + 1) * static_cast<Index>(sizeof(Index) / sizeof(float)), kFloatsPerLine);
  const Index padded_dim = round_up(shape.head_dim, kernel.lanes);
  const Index padded_keys = tokens + sequences * (kernel.key_panel - 1);
  const Index keys_size = round_up(padded_keys * shape.kv_heads * shape.head_dim, kFloatsPerLine);
  const Index values_size = round_up(tokens * shape.kv_heads * padded_dim, kFloatsPerLine);
  const Index scratch_size = round_up(kernel.rows * (kScoreStride + padded_dim), kFloatsPerLine);
  const Index keys = tables, values = keys + keys_size, scratch = values + values_size;
  return {keys, values, scratch, scratch_size, scratch + threads * scratch_size};
}

class Batch {
 public:
  Batch(const AttentionF32& kernel, const AttentionF32Args& args, int threads)
      : kernel_(kernel),
        args_(args),
        layout_(layout(kernel, args.shape, args.cu_seqlens.back() - args.cu_seqlens.front(), sequences(), threads)),
        padded_before_(reinterpret_cast<Index*>(args.workspace)),
        units_before_(padded_before_ + sequences() + 1) {
    padded_before_[0] = units_before_[0] = 0;
    for (Index s = 0; s < sequences(); ++s) {
      padded_before_[s + 1] = padded_before_[s] + round_up(length(s), kernel.key_panel);
      units_before_[s + 1] = units_before_[s] + (length(s) + rows_per_unit() - 1) / rows_per_unit();
    }
  }

  Index sequences() const { return static_cast<Index>(args_.cu_seqlens.size()) - 1; }
  Index heads_to_pack() const { return sequences() * args_.shape.kv_heads; }
  Index units() const { return units_before_[sequences()] * args_.shape.heads; }

  void pack(Index unit) const {
    const Index s = unit / args_.shape.kv_heads, g = unit % args_.shape.kv_heads;
    kernel_.pack(args_, first(s), g, head(s, g));
  }

  // Heads are the inner index within a sequence's rows, so that neighbouring units differ in head.
  void attend(Index unit, int worker) const {
    const Index block = unit / args_.shape.heads, h = unit % args_.shape.heads;
    const Index* after = std::upper_bound(units_before_, units_before_ + sequences() + 1, block);
    const Index s = after - units_before_ - 1;
    const Index row = (block - units_before_[s]) * rows_per_unit();
    float* scratch = args_.workspace + layout_.scratch + worker * layout_.scratch_size;
    kernel_.attend(args_, first(s) + row, first(s) + std::min(length(s), row + rows_per_unit()), h,
                   head(s, h / (args_.shape.heads / args_.shape.kv_heads)), scratch);
  }

 private:
  Index first(Index s) const { return args_.cu_seqlens[static_cast<std::size_t>(s)]; }
  Index length(Index s) const { return first(s + 1) - first(s); }
  Index rows_per_unit() const { return kernel_.rows * kStripsPerUnit; }

  PackedHead head(Index s, Index g) const {
    const AttentionShape& shape = args_.shape;
    const Index padded_keys = padded_before_[s + 1] - padded_before_[s];
    const Index keys = (padded_before_[s] * shape.kv_heads + g * padded_keys) * shape.head_dim;
    const Index before = first(s) - first(0);
    const Index values = (before * shape.kv_heads + g * length(s)) * round_up(shape.head_dim, kernel_.lanes);
    return {args_.workspace + layout_.keys + keys, args_.workspace + layout_.values + values, length(s)};
  }

  const AttentionF32& kernel_;
  const AttentionF32Args& args_;
  Layout layout_;
  Index* padded_before_;
  Index* units_before_;
};

}  // namespace

std::span<const KernelEntry<AttentionF32>> attention_f32_kernels() { return kList; }

Index attention_workspace(const AttentionF32& kernel, const AttentionShape& shape, Index tokens, Index sequences,
                          int threads) {
  return layout(kernel, shape, tokens, sequences, threads).total;
}

void attention(const AttentionF32& kernel, const AttentionF32Args& args, ThreadPool& pool) {
  if (args.cu_seqlens.size() < 2 || args.cu_seqlens.back() == args.cu_seqlens.front()) return;
  const Batch batch(kernel, args, pool.threads());
  pool.parallel_for(batch.heads_to_pack(), [&](Index unit, int) { batch.pack(unit); });
  pool.parallel_for(batch.units(), [&](Index unit, int worker) { batch.attend(unit, worker); });
}

}  // namespace quire::kernels
