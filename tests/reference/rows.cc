// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "tests/reference/reference.h"

namespace quire::reference {

NormResult layer_norm(View x, View residual, const float* gamma, const float* beta, double eps) {
  NormResult result{Matrix(x.rows, x.cols), Matrix(x.rows, x.cols)};
  const double count = static_cast<double>(x.cols);
  for (Index r = 0; r < x.rows; ++r) {
    std::vector<double> t;
    for (Index c = 0; c < x.cols; ++c) {
      // The sum that is normalised is the float one: its rounding belongs to the residual add.
      const float sum = residual.data == nullptr ? x.row(r)[c] : x.row(r)[c] + residual.row(r)[c];
      t.push_back(sum);
    }
    double mean = 0, variance = 0;
    for (double value : t) mean += value / count;
    for (double value : t) variance += (value - mean) * (value - mean) / count;
    const double deviation = std::sqrt(variance + eps);
    for (Index c = 0; c < x.cols; ++c) {
      const double unit = (t[static_cast<std::size_t>(c)] - mean) / deviation;
      const double shift = beta == nullptr ? 0 : beta[c];
      result.y.at(r, c) = unit * gamma[c] + shift;
      result.magnitude.at(r, c) = std::abs(gamma[c]) * (std::abs(unit) + 1) + std::abs(shift);
    }
  }
  return result;
}

Matrix embed(View word, View position, View type, std::span<const std::int32_t> ids,
             std::span<const std::int32_t> positions, std::span<const std::int32_t> types) {
  Matrix out(static_cast<Index>(ids.size()), word.cols);
  for (std::size_t t = 0; t < ids.size(); ++t)
    for (Index c = 0; c < word.cols; ++c) {
      double sum = word.row(ids[t])[c];
      if (position.data != nullptr) sum += position.row(positions[t])[c];
      if (type.data != nullptr) sum += type.row(types[t])[c];
      out.at(static_cast<Index>(t), c) = sum;
    }
  return out;
}

Matrix pool_mean(View x, Index begin, Index end) {
  Matrix out(1, x.cols);
  for (Index c = 0; c < x.cols; ++c) {
    for (Index t = begin; t < end; ++t) out.at(0, c) += x.row(t)[c];
    out.at(0, c) /= static_cast<double>(end - begin);
  }
  return out;
}

Matrix pool_max(View x, Index begin, Index end) {
  Matrix out(1, x.cols);
  for (Index c = 0; c < x.cols; ++c) {
    out.at(0, c) = x.row(begin)[c];
    for (Index t = begin; t < end; ++t) out.at(0, c) = std::max(out.at(0, c), static_cast<double>(x.row(t)[c]));
  }
  return out;
}

Matrix l2_normalize(std::span<const float> v) {
  Matrix out(1, static_cast<Index>(v.size()));
  double squares = 0;
  for (float x : v) squares += static_cast<double>(x) * x;
  const double length = std::max(std::sqrt(squares), 1e-12);
  for (std::size_t c = 0; c < v.size(); ++c) out.values[c] = v[c] / length;
  return out;
}

}  // namespace quire::reference
