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

namespace quire::loader {

enum class DType { f32, f16, bf16, i64, i32, i16, i8, u8, boolean, f64, other };
std::string_view to_string(DType dtype) noexcept;

// A view into the mapped file; valid as long as the Weights it came from. The data may have any alignment.
struct TensorView {
  std::string name;
  DType dtype = DType::other;
  std::vector<Index> shape;
  const std::byte* data = nullptr;
  Index bytes = 0;
  Index elements() const;
};

// All tensors of a model folder: `model.safetensors`, or the shards that `model.safetensors.index.json` names.
// Immutable; const calls are thread-safe.
class Weights {
 public:
  static Result<Weights> open(const std::filesystem::path& folder);
  Weights(Weights&&) noexcept;
  Weights& operator=(Weights&&) noexcept;
  ~Weights();

  const TensorView* find(std::string_view name) const;                // null: absent
  Result<TensorView> get(std::string_view name) const;                // absent: not_found, with the nearest names
  std::span<const TensorView> all() const;                            // in the order of their names
  Index parameters() const;                                           // elements of the floating-point tensors
  std::string source() const;                                         // file or index, for messages

  // A floating-point tensor of exactly this shape, widened to fp32 into out[0, product(shape)). Wrong dtype or shape:
  // an error naming file, tensor, found and wanted. NaN or infinity: non_finite with the first index.
  Status read_f32(std::string_view name, std::span<const Index> shape, float* out) const;

  // The mapped fp32 data itself where it is F32 and 4-byte aligned, checked like read_f32; null pointer where it has to
  // be widened instead.
  Result<const float*> map_f32(std::string_view name, std::span<const Index> shape) const;

 private:
  struct State;
  explicit Weights(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace quire::loader
