// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/counting_heap.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "base/aligned_memory.h"

namespace {

std::atomic<bool> g_counting{false};
std::atomic<long> g_calls{0};

#if QUIRE_COUNTS_WHOLE_HEAP

void count() {
  if (g_counting.load(std::memory_order_relaxed)) g_calls.fetch_add(1, std::memory_order_relaxed);
}

// The allocator that would have been called without this file's definitions, whichever is linked.
template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

#endif

}  // namespace

#if QUIRE_COUNTS_WHOLE_HEAP

extern "C" void* malloc(std::size_t bytes) {
  static const auto real = next<void* (*)(std::size_t)>("malloc");
  count();
  return real(bytes);
}

extern "C" void* realloc(void* old, std::size_t bytes) {
  static const auto real = next<void* (*)(void*, std::size_t)>("realloc");
  count();
  return real(old, bytes);
}

void* operator new(std::size_t bytes) {
  if (void* data = std::malloc(bytes == 0 ? 1 : bytes)) return data;
  throw std::bad_alloc();
}
void operator delete(void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }

#endif

namespace quire::test {

CountedHeap::CountedHeap() : aligned_(allocation_stats().allocations) {
  g_calls = 0;
  g_counting = true;
}

long CountedHeap::stop() {
  g_counting = false;
  return g_calls + static_cast<long>(allocation_stats().allocations - aligned_);
}

}  // namespace quire::test
