// SPDX-License-Identifier: Apache-2.0
//
// The safetensors format: u64 little-endian N, N bytes of JSON, tensor data. Every field of the header is checked
// against the file, as strictly as the reference reader (huggingface/safetensors, tensor.rs) does: tensors in the order
// of their offsets cover the data from its first to its last byte, without holes or overlaps.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace quire::loader {

enum class DType { f32, f16, bf16, i64, i32, i16, i8, u8, boolean, f64, other };
std::string_view to_string(DType dtype) noexcept;

// A view into the mapped file; valid as long as the Weights it came from. The data may have any alignment.
struct TensorView {
  std::string name;
  DType dtype = DType::other;
  std::string_view dtype_name;  // as the format spells it, "F8_E4M3"; static storage
  std::vector<Index> shape;
  const std::byte* data = nullptr;
  Index bytes = 0;
  Index file = 0;  // which of the folder's weight files, for messages
  Index elements() const;
};

// The limit of the reference reader.
inline constexpr Index kSafetensorsHeaderBytes = 100'000'000;

// The tensors of the safetensors file in `file`, in the order of their names, data pointing into `file`. `where` (the
// file's name) begins every message. A file that is something else is named: a Git LFS pointer, a pickle, GGUF, ...
Result<std::vector<TensorView>> parse_safetensors(std::span<const std::byte> file, const std::string& where);

}  // namespace quire::loader
