// SPDX-License-Identifier: Apache-2.0
//
// The safetensors parser on any bytes: as a whole file, and as the header of a file whose length field is true (few
// mutations of a whole file get past that field).
#include <cstring>
#include <span>

#include "loader/safetensors.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/safetensors_writer.h"

namespace quire::test {
namespace {

using loader::TensorView;

const char* const kHeaders[] = {
    "{}",
    R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})",
    R"({"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},)"
    R"("b":{"dtype":"BF16","shape":[2,2],"data_offsets":[8,16]}})",
    R"({"a":{"dtype":"I64","shape":[],"data_offsets":[0,8]},"z":{"dtype":"U8","shape":[0,9],"data_offsets":[8,8]}})",
    R"({"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},)"
    R"("\u0062":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[2,5]}})",
    R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})",
    R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[18446744073709551612,0]}})",
    R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})",
};

// Order does not matter: tensors may lie in any.
std::uint8_t checksum(std::span<const std::byte> bytes) {
  std::byte sum{0};
  for (std::byte byte : bytes) sum ^= byte;
  return static_cast<std::uint8_t>(sum);
}

// Also reads every byte of the tensors, so that AddressSanitizer sees any that lies outside.
void check_tensors(std::span<const std::byte> file, const std::vector<TensorView>& tensors) {
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof header);
  const std::span<const std::byte> data = file.subspan(8 + static_cast<std::size_t>(header));
  const std::string* last = nullptr;
  std::size_t covered = 0;
  std::uint8_t sum = 0;
  for (const TensorView& tensor : tensors) {
    fuzz_require(last == nullptr || *last < tensor.name, "names ascend, each once");
    fuzz_require(tensor.bytes >= 0 && tensor.elements() >= 0, "no size is negative");
    const std::span<const std::byte> bytes(tensor.data, static_cast<std::size_t>(tensor.bytes));
    fuzz_require(bytes.data() >= data.data() && bytes.data() + bytes.size() <= data.data() + data.size(),
                 "tensors lie in the data");
    sum = static_cast<std::uint8_t>(sum ^ checksum(bytes));
    covered += bytes.size();
    last = &tensor.name;
  }
  fuzz_require(covered == data.size() && sum == checksum(data), "tensors cover the data, each byte once");
}

void check(std::span<const std::byte> file) {
  const auto tensors = loader::parse_safetensors(file, "fuzz.safetensors");
  if (tensors.ok()) return check_tensors(file, *tensors);
  const Status status = tensors.status();
  fuzz_require(status.code() == StatusCode::corrupt_file || status.code() == StatusCode::unsupported,
               "a code that fits");
  fuzz_require(status.message().starts_with("fuzz.safetensors: "), "messages name the file");
  fuzz_require(status.message().size() < 1000, "messages stay short");
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds = {"", "{", "version https://git-lfs.github.com/spec/v1\n", std::string(9, '\xFF')};
  for (const char* header : kHeaders) {
    seeds.emplace_back(header);
    seeds.push_back(safetensors_file(header, std::string(16, '\x01')));
  }
  const float values[] = {1, 2, 3, 4};
  seeds.push_back(SafetensorsWriter().add_f32("w", {2, 2}, values).add_f16("v", {4}, values).file());
  return seeds;
}

std::vector<std::string> fuzz_words() {
  return {"\"dtype\":",
          "\"shape\":",
          "\"data_offsets\":",
          "\"__metadata__\":",
          "\"F32\"",
          "\"BF16\"",
          "\"F4\"",
          "[",
          "]",
          "{",
          "}",
          ",",
          ":",
          "\"",
          "\\",
          "0",
          "-1",
          "1e9",
          "0.5",
          "null",
          "true",
          "[0,24]",
          "[0,0]",
          "9223372036854775807",
          "9223372036854775808",
          "4294967296",
          "\\u0061",
          "\\ud800",
          "\xEF\xBB\xBF",
          " "};
}

}  // namespace quire::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> input(reinterpret_cast<const std::byte*>(data), size);
  quire::test::check(input);
  const std::string_view header(reinterpret_cast<const char*>(data), size);
  for (std::size_t bytes : {std::size_t{0}, std::size_t{8}, std::size_t{16}, std::size_t{24}}) {
    const std::string file = quire::test::safetensors_file(header, std::string(bytes, '\x01'));
    quire::test::check(std::as_bytes(std::span(file)));
  }
  return 0;
}
