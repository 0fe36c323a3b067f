// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "bench/kernels/kernels_bench.h"
#include "bench/kernels/shapes.h"
#include "kernels/gemm/gemm_f32.h"
#include "tests/reference/reference.h"
#include "tests/support/tolerance.h"

namespace quire::bench {
namespace {

using kernels::GemmF32;

struct Problem {
  Problem(const GemmF32& kernel_, const GemmShape& shape_, Index m_)
      : kernel(kernel_),
        shape(shape_),
        m(m_),
        a(m * shape.k, 1),
        w(shape.n * shape.k, 2),
        packed(kernels::packed_size(kernel, shape.n, shape.k)),
        bias(shape.n, 3),
        residual(m * shape.n, 4),
        c(m * shape.n) {
    kernels::pack(kernel, w.data(), shape.k, shape.n, shape.k, 0, shape.n, packed.data());
  }

  void run() const {
    kernels::gemm(kernel,
                  {.a = a.data(),
                   .lda = shape.k,
                   .packed_w = packed.data(),
                   .c = c.data(),
                   .ldc = shape.n,
                   .m = m,
                   .n = shape.n,
                   .k = shape.k,
                   .bias = bias.data(),
                   .residual = shape.residual ? residual.data() : nullptr,
                   .ldr = shape.n,
                   .activation = shape.activation},
                  pool());
  }

  // Of the first, the last and a middle row: the reference is slow.
  double error() const {
    double worst = 0;
    for (Index row : {Index{0}, m / 2, m - 1}) {
      const auto view = [&](const Floats& rows, Index cols) {
        return reference::View{rows.data() + row * cols, 1, cols, cols};
      };
      const auto want = reference::gemm(view(a, shape.k), {w.data(), shape.n, shape.k, shape.k}, bias.data(),
                                        shape.residual ? view(residual, shape.n) : reference::View{}, shape.activation);
      for (Index n = 0; n < shape.n; ++n) {
        const double bound = test::gemm_bound(shape.k, shape.activation, want.magnitude.at(0, n), want.c.at(0, n));
        const double share = std::abs(c.data()[row * shape.n + n] - want.c.at(0, n)) / bound;
        if (!(share <= worst)) worst = share;
      }
    }
    return worst;
  }

  GemmF32 kernel;
  GemmShape shape;
  Index m;
  Floats a, w, packed, bias, residual, c;
};

Work work(const GemmF32& kernel, const GemmShape& shape, Index m) {
  const auto problem = std::make_shared<Problem>(kernel, shape, m);
  return {.run = [problem] { problem->run(); },
          .error = [problem] { return problem->error(); },
          .flops = 2.0 * static_cast<double>(m * shape.n * shape.k)};
}

}  // namespace

void add_gemm_f32() {
  for_entries(kernels::gemm_f32_kernels(), [](Level level, const GemmF32& kernel) {
    for (const Encoder& encoder : kEncoders)
      for (const GemmShape& shape : shapes_of(encoder).gemm)
        for (Index m : kTokens)
          add("gemm_f32", level, shape_name({{'m', m}, {'n', shape.n}, {'k', shape.k}}),
              std::string(encoder.name) + " " + shape.what, [=] { return work(kernel, shape, m); });
  });
}

}  // namespace quire::bench
