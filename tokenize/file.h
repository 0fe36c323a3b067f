// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simdjson.h>

#include <filesystem>

#include "base/status.h"
#include "base/types.h"

namespace quire::tokenize {

inline constexpr Index kFileBytes = Index{128} << 20;  // the largest real tokenizer.json has 33 MB

// The whole of a regular file of at most kFileBytes; a FIFO or device is refused, not waited for.
Result<simdjson::padded_string> read_file(const std::filesystem::path& path);

}  // namespace quire::tokenize
