// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "base/matrix_view.h"
#include "base/types.h"

namespace quire::test {

// Equal as bits: -0 differs from 0, and a NaN equals itself.
inline bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

inline ::testing::AssertionResult same_bits(const float* a, const float* b, Index n) {
  for (Index i = 0; i < n; ++i)
    if (!same_bits(a[i], b[i])) return ::testing::AssertionFailure() << "[" << i << "]: " << a[i] << " and " << b[i];
  return ::testing::AssertionSuccess();
}

inline ::testing::AssertionResult same_bits(MatrixView<const float> a, MatrixView<const float> b) {
  for (Index r = 0; r < a.rows; ++r)
    if (auto row = same_bits(a.row(r), b.row(r), a.cols); !row)
      return ::testing::AssertionFailure() << "row " << r << " of " << a.rows << row.message();
  return ::testing::AssertionSuccess();
}

}  // namespace quire::test
