// SPDX-License-Identifier: Apache-2.0
#include "base/heap.h"

// AddressSanitizer sees overruns and leaks only in memory of its own heap.
#if defined(__SANITIZE_ADDRESS__)
#define QUIRE_SANITIZER_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUIRE_SANITIZER_HEAP 1
#endif
#endif

#if defined(QUIRE_SANITIZER_HEAP)

#include <cstdlib>

namespace quire {

// The sanitizer ends the process where other heaps return nullptr, so sizes that no test fills are refused before it.
constexpr std::size_t kLargest = std::size_t{1} << 36;

void* heap_allocate(std::size_t bytes, std::size_t alignment) noexcept {
  void* data = nullptr;
  if (bytes > kLargest) return nullptr;
  return ::posix_memalign(&data, alignment, bytes) == 0 ? data : nullptr;
}

void heap_free(void* data) noexcept { std::free(data); }

}  // namespace quire

#else

#include <mimalloc.h>

namespace quire {

void* heap_allocate(std::size_t bytes, std::size_t alignment) noexcept { return mi_malloc_aligned(bytes, alignment); }

void heap_free(void* data) noexcept { mi_free(data); }

}  // namespace quire

#endif
