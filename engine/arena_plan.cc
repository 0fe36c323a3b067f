// SPDX-License-Identifier: Apache-2.0
#include "engine/arena_plan.h"

#include <utility>

#include "base/aligned_memory.h"

namespace quire::engine {

Index ArenaPlan::add(std::string name, Index rows, Index row_bytes) {
  Index bytes = 0, end = 0;
  const Index offset = bytes_;
  // The line of slack keeps round_up itself inside the range.
  if (__builtin_mul_overflow(rows, row_bytes, &bytes) || __builtin_add_overflow(offset, bytes, &end) ||
      __builtin_add_overflow(end, kAlignment, &end)) {
    overflow_ = true;
    return 0;
  }
  bytes_ = round_up(offset + bytes, kAlignment);
  regions_.push_back({std::move(name), offset, bytes});
  return offset;
}

Status ArenaPlan::status() const {
  if (overflow_) return out_of_memory("the memory asked for is more than this machine can address");
  return {};
}

}  // namespace quire::engine
