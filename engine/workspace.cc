// SPDX-License-Identifier: Apache-2.0
#include "engine/workspace.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/aligned_memory.h"

namespace quire::engine {
namespace {

constexpr Index kFloat = sizeof(float);
constexpr Index kLineFloats = kAlignment / kFloat;

// Offsets of sequences are 32-bit.
constexpr Index kMostTokens = std::numeric_limits<std::int32_t>::max();

struct Widths {
  Index qkv = 0, context = 0, mlp = 0;
};

Widths widest(const ModelSpec& spec) {
  Widths widths;
  for (const LayerSpec& layer : spec.layers) {
    widths.qkv = std::max(widths.qkv, layer.attention.qkv.total_out());
    widths.context = std::max(widths.context, layer.attention.heads * layer.attention.head_dim);
    widths.mlp = std::max(widths.mlp, layer.mlp.up.total_out());
  }
  return widths;
}

Index attention_floats(const ModelSpec& spec, const KernelSet& kernels, int threads, const Capacity& capacity) {
  Index most = 0;
  for (const LayerSpec& layer : spec.layers) {
    const AttentionSpec& a = layer.attention;
    most =
        std::max(most, kernels::attention_workspace(kernels.attention->fns, {a.heads, a.kv_heads, a.head_dim, a.scale},
                                                    capacity.tokens, capacity.sequences, threads));
  }
  return most;
}

}  // namespace

Status check_capacity(const Capacity& capacity) {
  if (capacity.tokens < 1 || capacity.tokens > kMostTokens)
    return invalid_argument("a session of " + std::to_string(capacity.tokens) + " tokens: 1 to " +
                            std::to_string(kMostTokens) + " are possible");
  if (capacity.sequences < 1 || capacity.sequences > capacity.tokens)
    return invalid_argument("a session of " + std::to_string(capacity.sequences) + " sequences: 1 to its " +
                            std::to_string(capacity.tokens) + " tokens are possible");
  return {};
}

Index padded_stride(Index cols) {
  const Index lines = round_up(cols, kLineFloats) / kLineFloats;
  return (lines | 1) * kLineFloats;
}

WorkspacePlan::Matrix WorkspacePlan::add_matrix(const char* name, Index rows, Index cols) {
  const Index stride = padded_stride(cols);
  return {arena_.add(name, rows, stride * kFloat), rows, cols, stride};
}

Result<WorkspacePlan> WorkspacePlan::make(const ModelSpec& spec, const KernelSet& kernels, int threads,
                                          const Capacity& capacity) {
  QUIRE_RETURN_IF_ERROR(check_capacity(capacity));
  const Widths widths = widest(spec);
  WorkspacePlan plan;
  plan.capacity_ = capacity;
  plan.hidden_ = plan.add_matrix("hidden", capacity.tokens, spec.hidden);
  plan.qkv_ = plan.add_matrix("qkv", capacity.tokens, widths.qkv);
  plan.context_ = plan.add_matrix("context", capacity.tokens, widths.context);
  plan.mlp_ = plan.add_matrix("mlp", std::min(capacity.tokens, kMlpBlockTokens), widths.mlp);
  plan.pooled_ = plan.add_matrix("pooled", capacity.sequences, spec.hidden);
  plan.first_pooled_ = plan.add_matrix("first layer pooled", capacity.sequences, spec.hidden);
  plan.attention_ = plan.arena_.add("attention", attention_floats(spec, kernels, threads, capacity), kFloat);
  plan.positions_ = plan.arena_.add("positions", capacity.tokens, sizeof(std::int32_t));
  QUIRE_RETURN_IF_ERROR(plan.arena_.status());
  return plan;
}

Workspace WorkspacePlan::place(void* arena) const {
  auto* base = static_cast<std::byte*>(arena);
  const auto floats = [&](Index offset) { return reinterpret_cast<float*>(base + offset); };
  const auto view = [&](const Matrix& m) { return MatrixView<float>{floats(m.offset), m.rows, m.cols, m.stride}; };
  Workspace space;
  space.hidden = view(hidden_);
  space.qkv = view(qkv_);
  space.context = view(context_);
  space.mlp = view(mlp_);
  space.pooled = view(pooled_);
  space.first_pooled = view(first_pooled_);
  space.attention = floats(attention_);
  space.positions = reinterpret_cast<std::int32_t*>(base + positions_);
  return space;
}

}  // namespace quire::engine
