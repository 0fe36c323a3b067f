// SPDX-License-Identifier: Apache-2.0
//
// The heap under AlignedBuffer, apart so that only heap.cc knows which one it is.
#pragma once

#include <cstddef>

namespace quire {

// Not zeroed; nullptr when there is no memory. alignment is a power of two, bytes > 0.
void* heap_allocate(std::size_t bytes, std::size_t alignment) noexcept;
void heap_free(void* data) noexcept;

}  // namespace quire
