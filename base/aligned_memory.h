// SPDX-License-Identifier: Apache-2.0
//
// The only place in Quire that allocates bulk memory.
#pragma once

#include <cstdint>
#include <utility>

#include "base/status.h"
#include "base/types.h"

namespace quire {

// One cache line: vector loads never straddle two, and neighbouring buffers share none.
inline constexpr Index kAlignment = 64;

// Rounds up to a whole number of `unit`s. value >= 0, unit > 0.
constexpr Index round_up(Index value, Index unit) { return (value + unit - 1) / unit * unit; }

enum class Pages { normal, huge };  // huge: 2 MiB-aligned and advised MADV_HUGEPAGE, where the system has them

// Owns `bytes` bytes, aligned to kAlignment, zeroed. Move-only.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  static Result<AlignedBuffer> allocate(Index bytes, Pages pages = Pages::normal);
  AlignedBuffer(AlignedBuffer&& other) noexcept { swap(other); }
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    AlignedBuffer(std::move(other)).swap(*this);
    return *this;
  }
  ~AlignedBuffer();

  void* data() const { return data_; }
  Index bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void swap(AlignedBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  void* data_ = nullptr;
  Index bytes_ = 0;
};

// For tests and reports: calls to allocate() and bytes held, since the process started / now.
struct AllocationStats {
  std::uint64_t allocations = 0;
  std::int64_t bytes_held = 0;
};
AllocationStats allocation_stats() noexcept;

}  // namespace quire
