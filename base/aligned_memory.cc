// SPDX-License-Identifier: Apache-2.0
#include "base/aligned_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>

#include "base/heap.h"

namespace quire {
namespace {

constexpr Index kHugePage = Index{2} << 20;

std::atomic<std::uint64_t> g_allocations{0};
std::atomic<std::int64_t> g_bytes_held{0};

// Linux promises more memory than there is and ends the process that comes to use it; what can never fit must be
// refused before.
Index machine_bytes() {
  static const Index bytes = Index{::sysconf(_SC_PHYS_PAGES)} * Index{::sysconf(_SC_PAGESIZE)};
  return bytes;
}

Status refuse(Index bytes) {
  return out_of_memory("cannot allocate " + std::to_string(bytes) + " bytes; the machine has " +
                       std::to_string(machine_bytes()));
}

}  // namespace

Result<AlignedBuffer> AlignedBuffer::allocate(Index bytes, Pages pages) {
  if (bytes < 0) return invalid_argument("cannot allocate " + std::to_string(bytes) + " bytes");
  AlignedBuffer buffer;
  if (bytes == 0) return buffer;

  if (bytes > machine_bytes()) return refuse(bytes);
  const bool huge = pages == Pages::huge && bytes >= kHugePage;
  void* data = heap_allocate(static_cast<std::size_t>(bytes), huge ? kHugePage : kAlignment);
  if (data == nullptr) return refuse(bytes);
  // Advice, and before the first touch, which decides the size of a page. A kernel without transparent huge pages
  // refuses it, and the memory is as good.
  if (huge) ::madvise(data, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  std::memset(data, 0, static_cast<std::size_t>(bytes));

  g_allocations.fetch_add(1, std::memory_order_relaxed);
  g_bytes_held.fetch_add(bytes, std::memory_order_relaxed);
  buffer.data_ = data;
  buffer.bytes_ = bytes;
  return buffer;
}

AlignedBuffer::~AlignedBuffer() {
  if (data_ == nullptr) return;
  heap_free(data_);
  g_bytes_held.fetch_sub(bytes_, std::memory_order_relaxed);
}

AllocationStats allocation_stats() noexcept {
  return {g_allocations.load(std::memory_order_relaxed), g_bytes_held.load(std::memory_order_relaxed)};
}

}  // namespace quire
