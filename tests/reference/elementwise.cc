// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "tests/reference/reference.h"

namespace quire::reference {

double gelu_erf(double x) { return 0.5 * x * std::erfc(-x / std::numbers::sqrt2); }

double gelu_tanh(double x) {
  const double u = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}

double silu(double x) { return x / (1 + std::exp(-x)); }

double activate(kernels::Activation activation, double x) {
  switch (activation) {
    case kernels::Activation::none:
      return x;
    case kernels::Activation::relu:
      return x < 0 ? 0 : x;
    case kernels::Activation::gelu_erf:
      return gelu_erf(x);
    case kernels::Activation::gelu_tanh:
      return gelu_tanh(x);
    case kernels::Activation::silu:
      return silu(x);
    case kernels::Activation::tanh:
      return std::tanh(x);
  }
  return x;
}

}  // namespace quire::reference
