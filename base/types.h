// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace quire {

// Every count, size and stride in Quire. Signed, so that differences and downward loops mean what they say; in elements
// unless the name says bytes.
using Index = std::ptrdiff_t;

using TokenId = std::int32_t;

}  // namespace quire
