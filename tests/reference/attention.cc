// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "tests/reference/reference.h"

namespace quire::reference {
namespace {

struct Head {
  const float* at(Index token) const { return view.row(token) + first; }
  View view;
  Index first;
};

struct Score {
  double value, magnitude;
};

std::vector<Score> scores_of(const float* q, const Head& keys, Index d, double scale) {
  std::vector<Score> scores;
  for (Index j = 0; j < keys.view.rows; ++j) {
    Score score{0, 0};
    for (Index i = 0; i < d; ++i) {
      const double product = static_cast<double>(q[i]) * keys.at(j)[i];
      score.value += scale * product;
      score.magnitude += std::abs(scale * product);
    }
    scores.push_back(score);
  }
  return scores;
}

}  // namespace

AttentionResult attention(View q, View k, View v, Index heads, Index kv_heads, double scale, double unit,
                          double score_units, double weight_units) {
  const Index d = q.cols / heads;
  AttentionResult result{Matrix(q.rows, q.cols), Matrix(q.rows, q.cols)};
  for (Index i = 0; i < q.rows; ++i)
    for (Index h = 0; h < heads; ++h) {
      const Index g = h / (heads / kv_heads);
      const Head values{v, g * d};
      const auto scores = scores_of(q.row(i) + h * d, Head{k, g * d}, d, scale);
      double top = scores[0].value, sum = 0, blurred_sum = 0;
      for (const Score& score : scores) top = std::max(top, score.value);
      std::vector<double> weights, blurs;
      for (const Score& score : scores) {
        weights.push_back(std::exp(score.value - top));
        const double units = score_units * score.magnitude + (top - score.value) + std::abs(top) + weight_units;
        blurs.push_back(weights.back() * unit * units);
        sum += weights.back();
        blurred_sum += blurs.back();
      }
      for (Index c = 0; c < d; ++c) {
        double out = 0, blur = 0, size = 0;
        for (std::size_t j = 0; j < scores.size(); ++j) {
          const double value = values.at(static_cast<Index>(j))[c];
          out += weights[j] * value;
          blur += blurs[j] * std::abs(value);
          size += weights[j] * std::abs(value);
        }
        result.out.at(i, h * d + c) = out / sum;
        result.bound.at(i, h * d + c) = blur / sum + size / sum * (blurred_sum / sum);
      }
    }
  return result;
}

}  // namespace quire::reference
