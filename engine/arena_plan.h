// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace quire::engine {

struct Region {
  std::string name;
  Index offset = 0;  // bytes from the start of the arena, a multiple of kAlignment
  Index bytes = 0;
};

// Lays regions one after the other, each on its own cache line. Sizes may come from hostile files: a sum that does not
// fit is remembered and reported, never wrapped.
class ArenaPlan {
 public:
  // Returns the offset. rows * row_bytes bytes.
  Index add(std::string name, Index rows, Index row_bytes);

  Index bytes() const { return bytes_; }
  const std::vector<Region>& regions() const { return regions_; }
  Status status() const;

 private:
  std::vector<Region> regions_;
  Index bytes_ = 0;
  bool overflow_ = false;
};

}  // namespace quire::engine
