// SPDX-License-Identifier: Apache-2.0
//
// The kernels' formulas in double, plain loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix_view.h"
#include "base/types.h"
#include "kernels/activation.h"

namespace quire::reference {

using View = MatrixView<const float>;

// elementwise.cc; arguments are doubles that hold floats
double gelu_erf(double x);
double gelu_tanh(double x);
double silu(double x);
double activate(kernels::Activation activation, double x);

// A row-major result.
struct Matrix {
  Matrix(Index rows_, Index cols_) : rows(rows_), cols(cols_), values(static_cast<std::size_t>(rows_ * cols_)) {}
  double& at(Index r, Index c) { return values[static_cast<std::size_t>(r * cols + c)]; }
  double at(Index r, Index c) const { return values[static_cast<std::size_t>(r * cols + c)]; }
  Index rows, cols;
  std::vector<double> values;
};

// act(a w^T + bias) + residual, and what the bound of its error needs: sum |a| |w| + |bias| of each element. w is
// [n x k]; bias null or [n]; residual.data null or [m x n].
struct GemmResult {
  Matrix c, magnitude;
};
GemmResult gemm(View a, View w, const float* bias, View residual, kernels::Activation activation);

// Attention of one sequence: q [n x heads * d], k and v [n x kv_heads * d]. `bound` is the first-order effect, on each
// element of `out`, of scores that are off by `score_units` units of scale sum |q| |k| plus what the softmax rounds.
struct AttentionResult {
  Matrix out, bound;
};
AttentionResult attention(View q, View k, View v, Index heads, Index kv_heads, double scale, double unit,
                          double score_units, double weight_units);

struct NormResult {
  Matrix y, magnitude;  // magnitude: |gamma| (|t - mean| / deviation + 1) + |beta|
};
NormResult layer_norm(View x, View residual, const float* gamma, const float* beta, double eps);

Matrix embed(View word, View position, View type, std::span<const std::int32_t> ids,
             std::span<const std::int32_t> positions, std::span<const std::int32_t> types);

// Rows [begin, end) of x to one row.
Matrix pool_mean(View x, Index begin, Index end);
Matrix pool_max(View x, Index begin, Index end);
Matrix l2_normalize(std::span<const float> v);

}  // namespace quire::reference
