// SPDX-License-Identifier: Apache-2.0
#include "loader/weights.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/half.h"
#include "loader/finite.h"
#include "loader/mapped_file.h"
#include "loader/message.h"
#include "loader/nearest_names.h"
#include "loader/shards.h"

namespace quire::loader {

struct Weights::State {
  std::string source;
  std::vector<MappedFile> files;
  std::vector<TensorView> tensors;  // sorted by name

  const std::string& file_of(const TensorView& tensor) const {
    return files[static_cast<std::size_t>(tensor.file)].name();
  }
  std::string label(const TensorView& tensor) const { return file_of(tensor) + ": tensor " + in_quotes(tensor.name); }

  Status add_file(const std::filesystem::path& path);
  Status sort();
  Status check_promises(const std::filesystem::path& folder, const WeightFiles& wanted) const;
  const TensorView* find(std::string_view name) const;
  Status absent(std::string_view name) const;
  Result<const TensorView*> find_float(std::string_view name, std::span<const Index> shape) const;
  Status check_finite(const TensorView& tensor, const float* values) const;
};

namespace {

bool is_float(DType dtype) { return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16; }

// Bytes of any alignment to fp32.
void widen(const TensorView& tensor, float* out) {
  if (tensor.dtype == DType::f16) return widen_f16(tensor.data, tensor.elements(), out);
  if (tensor.dtype == DType::bf16) return widen_bf16(tensor.data, tensor.elements(), out);
  if (tensor.bytes > 0) std::memcpy(out, tensor.data, static_cast<std::size_t>(tensor.bytes));
}

}  // namespace

Status Weights::State::add_file(const std::filesystem::path& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return file.status();
  Result<std::vector<TensorView>> found = parse_safetensors(file->bytes(), file->name());
  if (!found.ok()) return found.status();
  for (TensorView& tensor : *found) {
    tensor.file = static_cast<Index>(files.size());
    tensors.push_back(std::move(tensor));
  }
  files.push_back(*std::move(file));
  return {};
}

Status Weights::State::sort() {
  std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto twice =
      std::adjacent_find(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) { return a.name == b.name; });
  if (twice == tensors.end()) return {};
  return {StatusCode::corrupt_file, label(*twice) + " also stands in " + file_of(*std::next(twice))};
}

// What the index says must be so.
Status Weights::State::check_promises(const std::filesystem::path& folder, const WeightFiles& wanted) const {
  for (const auto& [name, file] : wanted.file_of) {
    const TensorView* tensor = find(name);
    const std::string promised = (folder / file).string();
    if (tensor != nullptr && file_of(*tensor) == promised) continue;
    const std::string fact = tensor == nullptr ? "no file holds it" : "it stands in " + file_of(*tensor);
    return {StatusCode::corrupt_file,
            source + ": says that tensor " + in_quotes(name) + " is in " + promised + ", but " + fact};
  }
  return {};
}

const TensorView* Weights::State::find(std::string_view name) const {
  const auto found = std::lower_bound(tensors.begin(), tensors.end(), name,
                                      [](const TensorView& tensor, std::string_view key) { return tensor.name < key; });
  return found != tensors.end() && found->name == name ? &*found : nullptr;
}

Status Weights::State::absent(std::string_view name) const {
  const std::string near = nearest_names(name, tensors);
  return {StatusCode::not_found, source + ": holds no tensor " + in_quotes(name) +
                                     (near.empty() ? " nor one of a similar name" : "; the nearest names are " + near)};
}

Result<const TensorView*> Weights::State::find_float(std::string_view name, std::span<const Index> shape) const {
  const TensorView* tensor = find(name);
  if (tensor == nullptr) return absent(name);
  if (!is_float(tensor->dtype))
    return Status(StatusCode::unsupported,
                  label(*tensor) + " is " + std::string(tensor->dtype_name) + ", wanted F32, F16 or BF16");
  if (!std::equal(shape.begin(), shape.end(), tensor->shape.begin(), tensor->shape.end()))
    return Status(StatusCode::corrupt_file,
                  label(*tensor) + " has shape " + shape_text(tensor->shape) + ", wanted " + shape_text(shape));
  return tensor;
}

Status Weights::State::check_finite(const TensorView& tensor, const float* values) const {
  const Index bad = first_non_finite(values, tensor.elements());
  if (bad < 0) return {};
  const char* what = values[bad] != values[bad] ? " is NaN" : " is infinite";
  return {StatusCode::non_finite, label(tensor) + ": element " + std::to_string(bad) + what};
}

Result<Weights> Weights::open(const std::filesystem::path& folder) {
  Result<WeightFiles> wanted = find_weight_files(folder);
  if (!wanted.ok()) return wanted.status();
  auto state = std::make_unique<State>();
  state->source = wanted->source.string();
  for (const std::string& file : wanted->files)
    if (Status status = state->add_file(folder / file); !status.ok()) return status;
  if (Status status = state->sort(); !status.ok()) return status;
  if (Status status = state->check_promises(folder, *wanted); !status.ok()) return status;
  return Weights(std::move(state));
}

Weights::Weights(std::unique_ptr<State> state) : state_(std::move(state)) {}
Weights::Weights(Weights&&) noexcept = default;
Weights& Weights::operator=(Weights&&) noexcept = default;
Weights::~Weights() = default;

const TensorView* Weights::find(std::string_view name) const { return state_->find(name); }

Result<TensorView> Weights::get(std::string_view name) const {
  const TensorView* tensor = find(name);
  if (tensor == nullptr) return state_->absent(name);
  return *tensor;
}

std::span<const TensorView> Weights::all() const { return state_->tensors; }

Index Weights::parameters() const {
  Index sum = 0;
  for (const TensorView& tensor : state_->tensors) sum += is_float(tensor.dtype) ? tensor.elements() : 0;
  return sum;
}

std::string Weights::source() const { return state_->source; }

Status Weights::read_f32(std::string_view name, std::span<const Index> shape, float* out) const {
  Result<const TensorView*> tensor = state_->find_float(name, shape);
  if (!tensor.ok()) return tensor.status();
  widen(**tensor, out);
  return state_->check_finite(**tensor, out);
}

Result<const float*> Weights::map_f32(std::string_view name, std::span<const Index> shape) const {
  Result<const TensorView*> found = state_->find_float(name, shape);
  if (!found.ok()) return found.status();
  const TensorView& tensor = **found;
  const bool aligned = reinterpret_cast<std::uintptr_t>(tensor.data) % alignof(float) == 0;
  if (tensor.dtype != DType::f32 || !aligned) return static_cast<const float*>(nullptr);
  const auto* values = reinterpret_cast<const float*>(tensor.data);
  if (Status status = state_->check_finite(tensor, values); !status.ok()) return status;
  return values;
}

}  // namespace quire::loader
