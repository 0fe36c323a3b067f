// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace quire::loader {

// What a file that is not safetensors looks like, and what to do about it: "it is a Git LFS pointer, not the file
// itself; run `git lfs pull`". Empty where nothing is recognised.
std::string foreign_file_text(std::span<const std::byte> file);

}  // namespace quire::loader
