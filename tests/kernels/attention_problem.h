// SPDX-License-Identifier: Apache-2.0
//
// Packed sequences and what attention is given for them: q, k and v side by side in one matrix, as a fused projection
// leaves them, each row ending in elements that belong to nobody.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/aligned_memory.h"
#include "kernels/attention/attention_f32.h"
#include "tests/reference/reference.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/random.h"
#include "tests/support/tolerance.h"

namespace quire::test {

struct AttentionCase {
  std::vector<Index> lengths;
  Index heads = 2, kv_heads = 2, head_dim = 32;
  Edge edge = Edge::back;
  Index gap = 0;
  float size = 1;  // of the elements of q and k
};

inline std::ostream& operator<<(std::ostream& os, const AttentionCase& c) {
  os << "heads " << c.heads << "/" << c.kv_heads << " dim " << c.head_dim << " lengths";
  for (Index length : c.lengths) os << " " << length;
  return os;
}

class AttentionProblem {
 public:
  AttentionProblem(const kernels::AttentionF32& kernel, AttentionCase what, std::uint64_t seed = 1)
      : kernel_(kernel),
        case_(std::move(what)),
        tokens_(total(case_.lengths)),
        qkv_(tokens_, q_width() + 2 * kv_width(), q_width() + 2 * kv_width() + case_.gap, case_.edge),
        out_(tokens_, q_width(), q_width() + 2 * case_.gap, case_.edge) {
    starts_.push_back(0);
    for (Index length : case_.lengths) starts_.push_back(starts_.back() + static_cast<std::int32_t>(length));
    Random random(seed);
    qkv_.fill([&] { return random.symmetric(); });
    for (Index t = 0; t < tokens_; ++t)
      for (Index i = 0; i < q_width() + kv_width(); ++i) qkv_.row(t)[i] *= case_.size;
  }

  void run(ThreadPool& pool) const {
    const GuardedBuffer<float> workspace(
        kernels::attention_workspace(kernel_, shape(), tokens_, sequences(), pool.threads()), case_.edge, kAlignment);
    kernels::AttentionF32Args given = args();
    given.workspace = workspace.data();
    kernels::attention(kernel_, given, pool);
    workspace_intact_ = workspace_intact_ && workspace.intact();
  }

  kernels::AttentionShape shape() const {
    return {case_.heads, case_.kv_heads, case_.head_dim, 1 / std::sqrt(static_cast<float>(case_.head_dim))};
  }
  kernels::AttentionF32Args args() const {
    return {.shape = shape(),
            .q = q(0),
            .q_stride = qkv_.stride(),
            .k = k(0),
            .k_stride = qkv_.stride(),
            .v = v(0),
            .v_stride = qkv_.stride(),
            .out = out_.data(),
            .out_stride = out_.stride(),
            .cu_seqlens = starts_,
            .workspace = nullptr};
  }

  reference::AttentionResult reference(Index s) const {
    const Index first = starts_[static_cast<std::size_t>(s)], n = case_.lengths[static_cast<std::size_t>(s)];
    const auto part = [&](float* data, Index width) { return reference::View{data, n, width, qkv_.stride()}; };
    return reference::attention(part(q(first), q_width()), part(k(first), kv_width()), part(v(first), kv_width()),
                                case_.heads, case_.kv_heads, shape().scale, kUnit, sum_units(case_.head_dim),
                                attention_weight_units(n));
  }

  Index sequences() const { return static_cast<Index>(case_.lengths.size()); }
  Index tokens() const { return tokens_; }
  Index start(Index s) const { return starts_[static_cast<std::size_t>(s)]; }
  Index length(Index s) const { return case_.lengths[static_cast<std::size_t>(s)]; }
  Index q_width() const { return case_.heads * case_.head_dim; }
  Index kv_width() const { return case_.kv_heads * case_.head_dim; }
  float* q(Index token) const { return qkv_.row(token); }
  float* k(Index token) const { return qkv_.row(token) + q_width(); }
  float* v(Index token) const { return qkv_.row(token) + q_width() + kv_width(); }
  const GuardedMatrix& qkv() const { return qkv_; }
  const GuardedMatrix& out() const { return out_; }
  MatrixView<const float> out_of(Index s) const { return {out_.row(start(s)), length(s), q_width(), out_.stride()}; }
  bool intact() const { return qkv_.intact() && out_.intact() && workspace_intact_; }

 private:
  static Index total(const std::vector<Index>& lengths) {
    Index sum = 0;
    for (Index length : lengths) sum += length;
    return sum;
  }

  const kernels::AttentionF32& kernel_;
  AttentionCase case_;
  Index tokens_;
  GuardedMatrix qkv_, out_;
  std::vector<std::int32_t> starts_;
  mutable bool workspace_intact_ = true;
};

}  // namespace quire::test
