// SPDX-License-Identifier: Apache-2.0
//
// Counts every way to the heap in a program that links counting_heap.cc: the C functions, operator new, and
// base/aligned_memory.
#pragma once

#include <cstdint>

namespace quire::test {

// The sanitizers bring a heap of their own, which must not be taken apart: there only base/aligned_memory counts.
#if defined(__SANITIZE_ADDRESS__)  // GCC
#define QUIRE_COUNTS_WHOLE_HEAP 0
#elif defined(__has_feature)  // Clang
#define QUIRE_COUNTS_WHOLE_HEAP !__has_feature(address_sanitizer)
#else
#define QUIRE_COUNTS_WHOLE_HEAP 1
#endif
inline constexpr bool kWholeHeapCounted = QUIRE_COUNTS_WHOLE_HEAP;

class CountedHeap {
 public:
  CountedHeap();  // starts to count
  long stop();    // calls since then

 private:
  std::uint64_t aligned_;
};

}  // namespace quire::test
