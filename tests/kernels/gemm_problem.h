// SPDX-License-Identifier: Apache-2.0
//
// The operands of one GEMM, each at the edge of a forbidden page, with rows further apart than they are long.
#pragma once

#include <algorithm>
#include <ostream>

#include "base/aligned_memory.h"
#include "kernels/gemm/gemm_f32.h"
#include "tests/reference/reference.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/random.h"

namespace quire::test {

enum class Residual { none, apart, in_place };

struct GemmShape {
  Index m, n, k;
  kernels::Activation activation = kernels::Activation::none;
  bool bias = false;
  Residual residual = Residual::none;
  Edge edge = Edge::back;
  Index gap = 0;  // elements between the rows of A, C and the residual
};

inline std::ostream& operator<<(std::ostream& os, const GemmShape& s) {
  return os << "m " << s.m << " n " << s.n << " k " << s.k << " activation " << static_cast<int>(s.activation)
            << " bias " << s.bias << " residual " << static_cast<int>(s.residual) << " gap " << s.gap << " edge "
            << (s.edge == Edge::front ? "front" : "back");
}

class GemmProblem {
 public:
  GemmProblem(const kernels::GemmF32& kernel, const GemmShape& shape, std::uint64_t seed = 1)
      : kernel_(kernel),
        shape_(shape),
        a_(shape.m, shape.k, shape.k + shape.gap, shape.edge),
        w_(shape.n, shape.k, shape.k, shape.edge),
        c_(shape.m, shape.n, shape.n + 2 * shape.gap, shape.edge),
        residual_(shape.m, shape.n, shape.n + shape.gap, shape.edge),
        bias_(shape.n, shape.edge),
        packed_(kernels::packed_size(kernel, shape.n, shape.k), shape.edge, kAlignment) {
    Random random(seed);
    const auto next = [&] { return random.symmetric(); };
    a_.fill(next);
    w_.fill(next);
    residual_.fill(next);
    for (float& b : bias_) b = next();
    if (shape.residual == Residual::in_place) copy_residual();
    pack();
  }

  // Again after w() was changed.
  void pack() { kernels::pack(kernel_, w_.data(), w_.stride(), shape_.n, shape_.k, 0, shape_.n, packed_.data()); }
  // Again before a second run in place.
  void copy_residual() {
    for (Index r = 0; r < shape_.m; ++r) std::copy_n(residual_.row(r), shape_.n, c_.row(r));
  }

  kernels::GemmF32Args args() const {
    const bool in_place = shape_.residual == Residual::in_place;
    const GuardedMatrix& residual = in_place ? c_ : residual_;
    return {.a = a_.data(),
            .lda = a_.stride(),
            .packed_w = packed_.data(),
            .c = c_.data(),
            .ldc = c_.stride(),
            .m = shape_.m,
            .n = shape_.n,
            .k = shape_.k,
            .bias = shape_.bias ? bias_.data() : nullptr,
            .residual = shape_.residual == Residual::none ? nullptr : residual.data(),
            .ldr = residual.stride(),
            .activation = shape_.activation};
  }

  void run(ThreadPool& pool) const { kernels::gemm(kernel_, args(), pool); }

  reference::GemmResult reference() const {
    return reference::gemm(a_.view(), w_.view(), shape_.bias ? bias_.data() : nullptr,
                           shape_.residual == Residual::none ? reference::View{} : residual_.view(), shape_.activation);
  }

  // Whether nothing but C's elements was written.
  bool intact() const {
    return a_.intact() && w_.intact() && c_.intact() && residual_.intact() && bias_.intact() && packed_.intact();
  }

  const GemmShape& shape() const { return shape_; }
  const GuardedMatrix& a() const { return a_; }
  const GuardedMatrix& w() const { return w_; }
  const GuardedMatrix& c() const { return c_; }
  const GuardedMatrix& residual() const { return residual_; }
  const GuardedBuffer<float>& bias() const { return bias_; }
  const GuardedBuffer<float>& packed() const { return packed_; }

 private:
  const kernels::GemmF32& kernel_;
  GemmShape shape_;
  GuardedMatrix a_, w_, c_, residual_;
  GuardedBuffer<float> bias_, packed_;
};

}  // namespace quire::test
