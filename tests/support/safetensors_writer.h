// SPDX-License-Identifier: Apache-2.0
//
// Writes safetensors files for tests: correct ones from values, and broken ones from a header spelled by hand.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/half.h"
#include "base/types.h"

namespace quire::test {

// `header` and `data` as they are, behind a header length that is true.
inline std::string safetensors_file(std::string_view header, std::string_view data) {
  const auto length = static_cast<std::uint64_t>(header.size());
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file.append(header).append(data);
}

// Collects tensors, then gives the file, data in the order of adding.
//
//   std::string file = SafetensorsWriter().add_f32("a.weight", {2, 3}, values).file();
class SafetensorsWriter {
 public:
  SafetensorsWriter& add(std::string_view name, std::string_view dtype, const std::vector<Index>& shape,
                         std::string_view bytes) {
    if (entries_.size() > 1) entries_ += ',';
    entries_ += '"' + std::string(name) + "\":{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (i > 0) entries_ += ',';
      entries_ += std::to_string(shape[i]);
    }
    entries_ += "],\"data_offsets\":[" + std::to_string(data_.size()) + ',' +
                std::to_string(data_.size() + bytes.size()) + "]}";
    data_ += bytes;
    return *this;
  }

  SafetensorsWriter& add_f32(std::string_view name, const std::vector<Index>& shape, std::span<const float> values) {
    return add(name, "F32", shape, bytes_of(values));
  }
  SafetensorsWriter& add_f16(std::string_view name, const std::vector<Index>& shape, std::span<const float> values) {
    std::vector<F16> halves;
    for (float value : values) halves.push_back(to_f16(value));
    return add(name, "F16", shape, bytes_of(std::span<const F16>(halves)));
  }
  SafetensorsWriter& add_bf16(std::string_view name, const std::vector<Index>& shape, std::span<const float> values) {
    std::vector<Bf16> halves;
    for (float value : values) halves.push_back(to_bf16(value));
    return add(name, "BF16", shape, bytes_of(std::span<const Bf16>(halves)));
  }
  SafetensorsWriter& add_i64(std::string_view name, const std::vector<Index>& shape,
                             std::span<const std::int64_t> values) {
    return add(name, "I64", shape, bytes_of(values));
  }

  // The header is padded with spaces so that the data begins at a multiple of 8, as the reference writer does; with
  // `misalign`, 1 byte beyond one.
  std::string file(bool misalign = false) const {
    std::string header = entries_ + '}';
    header.append((8 - header.size() % 8) % 8 + (misalign ? 1 : 0), ' ');
    return safetensors_file(header, data_);
  }

 private:
  template <class T>
  static std::string_view bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
  }

  std::string entries_ = "{";
  std::string data_;
};

}  // namespace quire::test
