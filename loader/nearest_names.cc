// SPDX-License-Identifier: Apache-2.0
#include "loader/nearest_names.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "loader/message.h"

namespace quire::loader {
namespace {

constexpr std::size_t kLongestName = 200;   // edit distance is quadratic in it
constexpr std::size_t kMostTensors = 5000;  // real checkpoints of encoders have hundreds
constexpr std::size_t kShown = 3;

bool differs_by_prefix(std::string_view a, std::string_view b) {
  const std::string_view longer = a.size() > b.size() ? a : b, shorter = a.size() > b.size() ? b : a;
  return longer.size() > shorter.size() && longer.ends_with(shorter) &&
         longer[longer.size() - shorter.size() - 1] == '.';
}

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_names(std::string_view name, std::span<const TensorView> tensors) {
  std::vector<std::pair<std::size_t, std::string_view>> near;
  if (name.size() > kLongestName) return {};
  const std::size_t furthest = std::max<std::size_t>(2, name.size() / 4);
  for (const TensorView& tensor : tensors.first(std::min(tensors.size(), kMostTensors))) {
    if (tensor.name.size() > kLongestName) continue;
    const std::size_t distance = differs_by_prefix(name, tensor.name) ? 0 : edit_distance(name, tensor.name);
    if (distance <= furthest) near.emplace_back(distance, tensor.name);
  }
  std::sort(near.begin(), near.end());
  std::string out;
  for (std::size_t i = 0; i < std::min(near.size(), kShown); ++i) {
    if (i > 0) out += ", ";
    out += in_quotes(near[i].second);
  }
  return out;
}

}  // namespace quire::loader
