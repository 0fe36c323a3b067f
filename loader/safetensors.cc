// SPDX-License-Identifier: Apache-2.0
#include "loader/safetensors.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>

#include "loader/file_kind.h"
#include "loader/json.h"
#include "loader/message.h"

namespace quire::loader {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian and used as it is");

constexpr std::size_t kLengthBytes = 8;

struct Format {
  std::string_view name;
  DType dtype;
  Index bits;
};

// The dtypes of safetensors 0.8 (tensor.rs). F4 and F6 pack their elements without gaps.
constexpr Format kFormats[] = {
    {"F32", DType::f32, 32},
    {"F16", DType::f16, 16},
    {"BF16", DType::bf16, 16},
    {"I64", DType::i64, 64},
    {"I32", DType::i32, 32},
    {"I16", DType::i16, 16},
    {"I8", DType::i8, 8},
    {"U8", DType::u8, 8},
    {"BOOL", DType::boolean, 8},
    {"F64", DType::f64, 64},
    {"U16", DType::other, 16},
    {"U32", DType::other, 32},
    {"U64", DType::other, 64},
    {"C64", DType::other, 64},
    {"F8_E4M3", DType::other, 8},
    {"F8_E5M2", DType::other, 8},
    {"F8_E8M0", DType::other, 8},
    {"F8_E4M3FNUZ", DType::other, 8},
    {"F8_E5M2FNUZ", DType::other, 8},
    {"F6_E2M3", DType::other, 6},
    {"F6_E3M2", DType::other, 6},
    {"F4", DType::other, 4},
};

const Format* find_format(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats), [&](auto& f) { return f.name == name; });
  return found == std::end(kFormats) ? nullptr : found;
}

// A non-negative integer in its plain spelling that fits an Index.
bool read_count(const JsonValue& value, Index& out) {
  if (value.kind != JsonValue::Kind::number) return false;
  const char* end = value.text.data() + value.text.size();
  const auto [rest, error] = std::from_chars(value.text.data(), end, out);
  return error == std::errc() && rest == end && !value.text.starts_with('-');
}

bool multiply(Index a, Index b, Index& out) { return !__builtin_mul_overflow(a, b, &out); }

// Where the parts of a file lie.
struct Parts {
  std::string_view header;
  std::span<const std::byte> data;
};

class Parser {
 public:
  Parser(std::span<const std::byte> file, const std::string& where) : file_(file), where_(where) {}

  Result<std::vector<TensorView>> parse() {
    if (Status status = split(); !status.ok()) return status;
    Status status =
        visit_json_object(parts_.header, where_ + ": header", [this](std::string_view key, JsonValue&& value) {
          return key == "__metadata__" ? check_metadata(value) : add_tensor(key, value);
        });
    if (!status.ok()) return status;
    if (status = sort_by_name(); !status.ok()) return status;
    if (status = check_coverage(); !status.ok()) return status;
    return std::move(tensors_);
  }

 private:
  Status corrupt(const std::string& fact) const { return {StatusCode::corrupt_file, where_ + ": " + fact}; }

  Status not_safetensors(const std::string& fact) const {
    const std::string kind = foreign_file_text(file_);
    return corrupt("is not a safetensors file: " + (kind.empty() ? fact : kind));
  }

  static std::string of_tensor(std::string_view name) { return "tensor " + in_quotes(name); }

  Status split() {
    if (file_.empty()) return corrupt("is empty");
    if (file_.size() < kLengthBytes)
      return not_safetensors("it has " + std::to_string(file_.size()) + " bytes, less than the 8 of the header length");
    std::uint64_t length = 0;
    std::memcpy(&length, file_.data(), sizeof length);
    const std::size_t rest = file_.size() - kLengthBytes;
    if (length > static_cast<std::uint64_t>(kSafetensorsHeaderBytes))
      return not_safetensors("header length " + std::to_string(length) + ", at most " +
                             std::to_string(kSafetensorsHeaderBytes) + " is allowed");
    if (length > rest)
      return not_safetensors("header length " + std::to_string(length) + ", but only " + std::to_string(rest) +
                             " bytes follow; is the file cut short?");
    parts_.header = {reinterpret_cast<const char*>(file_.data()) + kLengthBytes, static_cast<std::size_t>(length)};
    parts_.data = file_.subspan(kLengthBytes + static_cast<std::size_t>(length));
    if (!parts_.header.starts_with('{')) return not_safetensors("the header does not begin with '{'");
    return {};
  }

  Status check_metadata(const JsonValue& value) {
    if (has_metadata_) return corrupt("header: key \"__metadata__\" stands twice");
    has_metadata_ = true;
    if (value.kind != JsonValue::Kind::object)
      return corrupt("header: \"__metadata__\" is " + describe(value) + ", wanted an object of strings");
    for (std::size_t i = 0; i < value.items.size(); ++i)
      if (value.items[i].kind != JsonValue::Kind::string)
        return corrupt("header: \"__metadata__\" " + in_quotes(value.keys[i]) + " is " + describe(value.items[i]) +
                       ", wanted a string");
    return {};
  }

  Status add_tensor(std::string_view name, const JsonValue& entry) {
    if (entry.kind != JsonValue::Kind::object)
      return corrupt(of_tensor(name) + " is " + describe(entry) + ", wanted an object");
    TensorView tensor;
    tensor.name = name;
    Index bits = 0;
    if (Status status = read_dtype(entry, tensor, bits); !status.ok()) return status;
    if (Status status = read_shape(entry, tensor); !status.ok()) return status;
    if (Status status = read_offsets(entry, tensor); !status.ok()) return status;
    if (Status status = check_size(tensor, bits); !status.ok()) return status;
    tensors_.push_back(std::move(tensor));
    return {};
  }

  Status field_error(const TensorView& tensor, const char* key, const JsonValue* found, const char* wanted) const {
    const std::string fact = found == nullptr ? " is missing" : " is " + describe(*found);
    return corrupt(of_tensor(tensor.name) + ": \"" + key + "\"" + fact + ", wanted " + wanted);
  }

  Status read_dtype(const JsonValue& entry, TensorView& tensor, Index& bits) const {
    const JsonValue* value = entry.find("dtype");
    if (value == nullptr || value->kind != JsonValue::Kind::string)
      return field_error(tensor, "dtype", value, "a string such as \"F32\"");
    const Format* format = find_format(value->text);
    if (format == nullptr)
      return {StatusCode::unsupported,
              where_ + ": " + of_tensor(tensor.name) + ": unknown dtype " + in_quotes(value->text)};
    tensor.dtype = format->dtype;
    tensor.dtype_name = format->name;
    bits = format->bits;
    return {};
  }

  Status read_shape(const JsonValue& entry, TensorView& tensor) const {
    const JsonValue* value = entry.find("shape");
    if (value == nullptr || value->kind != JsonValue::Kind::array)
      return field_error(tensor, "shape", value, "an array of whole numbers");
    for (const JsonValue& item : value->items) {
      Index extent = 0;
      if (!read_count(item, extent))
        return corrupt(of_tensor(tensor.name) + ": \"shape\" holds " + describe(item) +
                       ", wanted whole numbers from 0 to 2^63 - 1");
      tensor.shape.push_back(extent);
    }
    return {};
  }

  Status read_offsets(const JsonValue& entry, TensorView& tensor) const {
    const JsonValue* value = entry.find("data_offsets");
    Index begin = 0, end = 0;
    if (value == nullptr || value->kind != JsonValue::Kind::array || value->items.size() != 2 ||
        !read_count(value->items[0], begin) || !read_count(value->items[1], end))
      return field_error(tensor, "data_offsets", value, "[begin, end], two whole numbers");
    const auto available = static_cast<Index>(parts_.data.size());
    const std::string range =
        of_tensor(tensor.name) + ": data_offsets [" + std::to_string(begin) + ", " + std::to_string(end) + "] ";
    if (begin > end) return corrupt(range + "run backwards");
    if (end > available)
      return corrupt(range + "reach beyond the " + std::to_string(available) +
                     " bytes of tensor data in the file; is it cut short?");
    tensor.data = parts_.data.data() + begin;
    tensor.bytes = end - begin;
    return {};
  }

  // Multiplies as the reference does, in the order of the shape: [2^40, 2^40, 0] is an overflow there too.
  Status check_size(const TensorView& tensor, Index bits) const {
    Index total = 1;
    bool fits = true;
    for (Index extent : tensor.shape) fits = fits && multiply(total, extent, total);
    fits = fits && multiply(total, bits, total);
    const std::string shape = std::string(tensor.dtype_name) + " " + shape_text(tensor.shape);
    if (!fits) return corrupt(of_tensor(tensor.name) + ": " + shape + " has more bits than can be counted");
    if (total % 8 != 0) return corrupt(of_tensor(tensor.name) + ": " + shape + " does not end at a whole byte");
    if (total / 8 != tensor.bytes)
      return corrupt(of_tensor(tensor.name) + ": " + shape + " takes " + std::to_string(total / 8) +
                     " bytes, data_offsets give " + std::to_string(tensor.bytes));
    return {};
  }

  Index offset_of(const TensorView& tensor) const { return tensor.data - parts_.data.data(); }

  Status check_coverage() const {
    std::vector<const TensorView*> sorted;
    sorted.reserve(tensors_.size());
    for (const TensorView& tensor : tensors_) sorted.push_back(&tensor);
    std::sort(sorted.begin(), sorted.end(), [this](const TensorView* a, const TensorView* b) {
      return offset_of(*a) != offset_of(*b) ? offset_of(*a) < offset_of(*b) : a->bytes < b->bytes;
    });
    Index covered = 0;
    for (const TensorView* tensor : sorted) {
      const Index begin = offset_of(*tensor);
      if (begin != covered)
        return corrupt(of_tensor(tensor->name) + " begins at data offset " + std::to_string(begin) +
                       (begin < covered ? ", inside the tensor before it, which ends at "
                                        : ", but the tensors before it end at ") +
                       std::to_string(covered));
      covered += tensor->bytes;
    }
    if (covered != static_cast<Index>(parts_.data.size()))
      return corrupt("the tensors end at data offset " + std::to_string(covered) + ", but the file holds " +
                     std::to_string(parts_.data.size()) + " bytes of tensor data");
    return {};
  }

  Status sort_by_name() {
    const auto less = [](const TensorView& a, const TensorView& b) { return a.name < b.name; };
    const auto same = [](const TensorView& a, const TensorView& b) { return a.name == b.name; };
    std::sort(tensors_.begin(), tensors_.end(), less);
    const auto found = std::adjacent_find(tensors_.begin(), tensors_.end(), same);
    return found == tensors_.end() ? Status{} : corrupt("header: " + of_tensor(found->name) + " stands twice");
  }

  std::span<const std::byte> file_;
  const std::string& where_;
  Parts parts_;
  std::vector<TensorView> tensors_;
  bool has_metadata_ = false;
};

}  // namespace

std::string_view to_string(DType dtype) noexcept {
  for (const Format& format : kFormats)
    if (format.dtype == dtype && dtype != DType::other) return format.name;
  return "other";
}

Index TensorView::elements() const {
  Index product = 1;
  for (Index extent : shape) product *= extent;
  return product;
}

Result<std::vector<TensorView>> parse_safetensors(std::span<const std::byte> file, const std::string& where) {
  return Parser(file, where).parse();
}

}  // namespace quire::loader
