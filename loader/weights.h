// SPDX-License-Identifier: Apache-2.0
//
// Weights by name, out of a mapped Hugging Face folder. Nothing is copied until somebody asks for fp32 values.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/types.h"
#include "loader/safetensors.h"

namespace quire::loader {

// All tensors of a model folder: `model.safetensors`, else the shards that `model.safetensors.index.json` names, as
// transformers chooses. Also as there, a shard may hold tensors that the index does not name. Stricter than there: a
// tensor that stands in two shards, or not in the shard that the index says, is an error.
// Immutable; const calls are thread-safe.
class Weights {
 public:
  // A folder that holds weights in another form only (pytorch_model.bin, ...): unsupported, saying how to convert.
  static Result<Weights> open(const std::filesystem::path& folder);
  Weights(Weights&&) noexcept;
  Weights& operator=(Weights&&) noexcept;
  ~Weights();

  const TensorView* find(std::string_view name) const;  // null: absent
  Result<TensorView> get(std::string_view name) const;  // absent: not_found, with the nearest names
  std::span<const TensorView> all() const;              // in the order of their names
  Index parameters() const;                             // elements of the floating-point tensors
  std::string source() const;                           // file or index, for messages

  // A tensor of dtype F32, F16 or BF16 and of exactly this shape, widened to fp32 into out[0, product(shape)). Absent:
  // not_found. Another dtype: unsupported. Another shape: corrupt_file, since the folder contradicts itself. NaN or
  // infinity: non_finite with the first index. Each names file, tensor, found and wanted. After an error `out` may hold
  // some of the values.
  Status read_f32(std::string_view name, std::span<const Index> shape, float* out) const;

  // The mapped fp32 data itself where it is F32 and 4-byte aligned, checked like read_f32; null pointer where it has to
  // be widened or realigned by read_f32 instead.
  Result<const float*> map_f32(std::string_view name, std::span<const Index> shape) const;

 private:
  struct State;
  explicit Weights(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace quire::loader
