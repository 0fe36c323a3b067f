// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "bench/kernels/kernels_bench.h"
#include "bench/kernels/shapes.h"
#include "kernels/attention/attention_f32.h"
#include "tests/reference/reference.h"
#include "tests/support/tolerance.h"

namespace quire::bench {
namespace {

using kernels::AttentionF32;

// q, k and v side by side, as the fused projection leaves them.
struct Problem {
  Problem(const AttentionF32& kernel_, const Encoder& encoder, const AttentionShape& shape_)
      : kernel(kernel_),
        shape(shape_),
        heads(encoder.heads),
        width(encoder.hidden),
        scale(1 / std::sqrt(static_cast<float>(width / heads))),
        qkv(tokens() * 3 * width),
        out(tokens() * width),
        workspace(kernels::attention_workspace(kernel, layout(), tokens(), shape.sequences, pool().threads())) {
    for (Index s = 0; s <= shape.sequences; ++s) starts.push_back(static_cast<std::int32_t>(s * shape.length));
  }

  Index tokens() const { return shape.sequences * shape.length; }
  kernels::AttentionShape layout() const { return {heads, heads, width / heads, scale}; }

  void run() const {
    kernels::attention(kernel,
                       {.shape = layout(),
                        .q = qkv.data(),
                        .q_stride = 3 * width,
                        .k = qkv.data() + width,
                        .k_stride = 3 * width,
                        .v = qkv.data() + 2 * width,
                        .v_stride = 3 * width,
                        .out = out.data(),
                        .out_stride = width,
                        .cu_seqlens = starts,
                        .workspace = workspace.data()},
                       pool());
  }

  // Of the last sequence's first head: the reference is slow.
  double error() const {
    const Index first = tokens() - shape.length, dim = width / heads;
    const auto part = [&](Index which) {
      return reference::View{qkv.data() + first * 3 * width + which * width, shape.length, dim, 3 * width};
    };
    const auto want = reference::attention(part(0), part(1), part(2), 1, 1, scale, test::kUnit, test::sum_units(dim),
                                           test::attention_weight_units(shape.length));
    double worst = 0;
    for (Index r = 0; r < shape.length; ++r)
      for (Index c = 0; c < dim; ++c) {
        const float got = out.data()[(first + r) * width + c];
        const double share = std::abs(got - want.out.at(r, c)) / want.bound.at(r, c);
        if (!(share <= worst)) worst = share;
      }
    return worst;
  }

  AttentionF32 kernel;
  AttentionShape shape;
  Index heads, width;
  float scale;
  Floats qkv, out, workspace;
  std::vector<std::int32_t> starts;
};

Work work(const AttentionF32& kernel, const Encoder& encoder, const AttentionShape& shape) {
  const auto problem = std::make_shared<Problem>(kernel, encoder, shape);
  // Scores and weighted sums; the softmax between them counts as nothing.
  const double flops = 4.0 * static_cast<double>(shape.sequences * shape.length * shape.length * encoder.hidden);
  return {.run = [problem] { problem->run(); }, .error = [problem] { return problem->error(); }, .flops = flops};
}

}  // namespace

void add_attention_f32() {
  for_entries(kernels::attention_f32_kernels(), [](Level level, const AttentionF32& kernel) {
    for (const Encoder& encoder : kEncoders)
      for (const AttentionShape& shape : kSequences)
        add("attention_f32", level,
            shape_name({{'s', shape.sequences},
                        {'n', shape.length},
                        {'h', encoder.heads},
                        {'d', encoder.hidden / encoder.heads}}),
            encoder.name, [=] { return work(kernel, encoder, shape); });
  });
}

}  // namespace quire::bench
