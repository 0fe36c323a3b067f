// SPDX-License-Identifier: Apache-2.0
//
// Pieces of error messages. What stands in a hostile file must not reach a terminal or a log as it is.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/types.h"

namespace quire::loader {

// "text" in double quotes; control bytes, quotes and backslashes escaped, cut after 100 bytes with "...".
std::string in_quotes(std::string_view text);

// "[30522, 384]"; only the first eight of a longer shape.
std::string shape_text(std::span<const Index> shape);

}  // namespace quire::loader
