// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/types.h"

namespace quire {

// A matrix somebody else owns: `rows` rows of `cols` elements, row r starting at data + r * stride. stride >= cols.
template <class T>
struct MatrixView {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  T* row(Index r) const { return data + r * stride; }
  operator MatrixView<const T>() const { return {data, rows, cols, stride}; }
};

}  // namespace quire
