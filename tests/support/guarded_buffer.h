// SPDX-License-Identifier: Apache-2.0
//
// Memory whose edges can't be crossed unseen: the page before it and the page after it may not be touched. Where masked
// loads touch more than they may (masked_loads_touch), one more page lies behind the data, so that only writes are
// seen.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "base/matrix_view.h"
#include "base/types.h"
#include "tests/support/masked_loads.h"

namespace quire::test {

// Which end of the data lies directly at a forbidden page. Data of any size can lie at one of them only, so tests use
// both in turn.
enum class Edge { front, back };

// `size` elements of T, all bytes 0x7f at first (as float 3.4e38, which no test makes on purpose). With Edge::back and
// an alignment above T's, up to `alignment` - 1 bytes lie between the data and the page; intact() tells whether these,
// and all other bytes around the data, are as they were.
template <class T>
class GuardedBuffer {
 public:
  explicit GuardedBuffer(Index size, Edge edge = Edge::back, Index alignment = alignof(T)) : size_(size) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    const std::size_t unit = static_cast<std::size_t>(alignment);
    const std::size_t aligned = (bytes + unit - 1) / unit * unit;
    const std::size_t soft_bytes = masked_loads_touch() ? page : 0;
    open_bytes_ = (aligned + page - 1) / page * page + soft_bytes;
    all_bytes_ = open_bytes_ + 2 * page;
    void* all = ::mmap(nullptr, all_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<std::byte*>(all);
    open_ = all_ + page;
    if (open_bytes_ > 0 && ::mprotect(open_, open_bytes_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    std::memset(open_, kFill, open_bytes_);
    data_ = reinterpret_cast<T*>(edge == Edge::front ? open_ : open_ + open_bytes_ - soft_bytes - aligned);
  }
  GuardedBuffer(GuardedBuffer&& other) noexcept
      : all_(std::exchange(other.all_, nullptr)),
        open_(other.open_),
        data_(other.data_),
        size_(other.size_),
        open_bytes_(other.open_bytes_),
        all_bytes_(other.all_bytes_) {}
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;
  ~GuardedBuffer() {
    if (all_ != nullptr) ::munmap(all_, all_bytes_);
  }

  T* data() const { return data_; }
  Index size() const { return size_; }
  T& operator[](Index i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

  // Whether nothing was written beside the data on the pages that may be touched.
  bool intact() const {
    const auto is_fill = [](std::byte b) { return b == std::byte{kFill}; };
    for (const std::byte* b = open_; b < reinterpret_cast<std::byte*>(data_); ++b)
      if (!is_fill(*b)) return false;
    for (const std::byte* b = reinterpret_cast<std::byte*>(data_ + size_); b < open_ + open_bytes_; ++b)
      if (!is_fill(*b)) return false;
    return true;
  }

  static constexpr int kFill = 0x7f;

 private:
  std::byte* all_ = nullptr;
  std::byte* open_ = nullptr;
  T* data_ = nullptr;
  Index size_ = 0;
  std::size_t open_bytes_ = 0;
  std::size_t all_bytes_ = 0;
};

// A matrix with a row stride whose last row ends where its last column does, at the forbidden page.
class GuardedMatrix {
 public:
  GuardedMatrix(Index rows, Index cols, Index stride, Edge edge = Edge::back)
      : rows_(rows), cols_(cols), stride_(stride), buffer_(rows == 0 ? 0 : (rows - 1) * stride + cols, edge) {}

  MatrixView<float> view() const { return {buffer_.data(), rows_, cols_, stride_}; }
  float* data() const { return buffer_.data(); }
  float* row(Index r) const { return buffer_.data() + r * stride_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index stride() const { return stride_; }

  template <class Next>
  void fill(Next next) const {
    for (Index r = 0; r < rows_; ++r)
      for (Index c = 0; c < cols_; ++c) row(r)[c] = next();
  }

  // Whether nothing was written between the rows or around the matrix.
  bool intact() const {
    for (Index r = 0; r + 1 < rows_; ++r)
      for (Index i = cols_; i < stride_; ++i) {
        std::byte bytes[sizeof(float)];
        std::memcpy(bytes, row(r) + i, sizeof bytes);
        for (std::byte b : bytes)
          if (b != std::byte{GuardedBuffer<float>::kFill}) return false;
      }
    return buffer_.intact();
  }

 private:
  Index rows_, cols_, stride_;
  GuardedBuffer<float> buffer_;
};

}  // namespace quire::test
