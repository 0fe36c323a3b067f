// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/reference/reference.h"

namespace quire::reference {

GemmResult gemm(View a, View w, const float* bias, View residual, kernels::Activation activation) {
  GemmResult result{Matrix(a.rows, w.rows), Matrix(a.rows, w.rows)};
  for (Index m = 0; m < a.rows; ++m)
    for (Index n = 0; n < w.rows; ++n) {
      double sum = bias == nullptr ? 0 : bias[n];
      double magnitude = std::abs(sum);
      for (Index k = 0; k < a.cols; ++k) {
        const double product = static_cast<double>(a.row(m)[k]) * w.row(n)[k];
        sum += product;
        magnitude += std::abs(product);
      }
      result.c.at(m, n) = activate(activation, sum) + (residual.data == nullptr ? 0 : residual.row(m)[n]);
      result.magnitude.at(m, n) = magnitude;
    }
  return result;
}

}  // namespace quire::reference
