// SPDX-License-Identifier: Apache-2.0
//
// The JSON reader on any text. What it accepts must survive being written out and read again.
#include <string_view>

#include "loader/json.h"
#include "tests/fuzz/fuzz_target.h"

namespace quire::test {
namespace {

using loader::JsonValue;
using Kind = JsonValue::Kind;

void write_string(std::string_view text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == '"' || c == '\\')
      out.append("\\u00").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
    else
      out += c;
  }
  out += '"';
}

void write(const JsonValue& value, std::string& out) {
  switch (value.kind) {
    case Kind::null:
      out += "null";
      return;
    case Kind::boolean:
      out += value.boolean ? "true" : "false";
      return;
    case Kind::number:
      out += value.text;
      return;
    case Kind::string:
      write_string(value.text, out);
      return;
    case Kind::array:
    case Kind::object:
      break;
  }
  const bool object = value.kind == Kind::object;
  out += object ? '{' : '[';
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (i > 0) out += ',';
    if (object) write_string(value.keys[i], out);
    if (object) out += ':';
    write(value.items[i], out);
  }
  out += object ? '}' : ']';
}

std::string written(const JsonValue& value) {
  std::string out;
  write(value, out);
  return out;
}

// Two ways to read the same text must agree on whether it is JSON; duplicates among the top keys are left to the caller
// of the second.
void check_visit(std::string_view text, const JsonValue& root) {
  std::size_t members = 0;
  const Status status = loader::visit_json_object(text, "fuzz.json", [&](std::string_view key, JsonValue&& value) {
    fuzz_require(key == root.keys[members] && written(value) == written(root.items[members]), "both readers agree");
    ++members;
    return Status();
  });
  fuzz_require(status.ok() && members == root.items.size(), "both readers agree on the end");
}

void check(std::string_view text) {
  const auto root = loader::parse_json_object(text, "fuzz.json");
  if (!root.ok()) {
    fuzz_require(root.status().code() == StatusCode::corrupt_file, "a code that fits");
    fuzz_require(root.status().message().starts_with("fuzz.json: "), "messages name the file");
    return;
  }
  const std::string once = written(*root);
  const auto again = loader::parse_json_object(once, "fuzz.json");
  fuzz_require(again.ok() && written(*again) == once, "accepted text survives a round trip");
  check_visit(text, *root);
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  return {"",
          "{}",
          "[]",
          R"({"model_type":"bert","hidden_size":384,"layer_norm_eps":1e-12,"architectures":["BertModel"],"x":null})",
          R"({"model_max_length":1000000000000000019884624838656,"a":{"b":{"c":[true,false,[],{}]}}})",
          R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"},"metadata":{"total_size":8}})",
          R"( { "k" : "\u00e9\ud83d\ude00\n\"\\" , "n" : [ -0 , 1.5E+3 , 0.1 ] } )"};
}

std::vector<std::string> fuzz_words() {
  return {"[",  "]",    "{",     "}",        ",",        ":",        "\"",           "\\",  "0",    "-",    ".",   "e5",
          "1",  "null", "true",  "false",    "\"a\":1,", "\\u0061",  "\\ud800",      "\\/", "[[[[", "]]]]", " ",   "\n",
          "\t", "-0",   "1e999", "\xC3\xA9", "\xF0\x9F", "{\"a\":{", "\xEF\xBB\xBF", "NaN", "01",   "//",   "\x01"};
}

}  // namespace quire::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quire::test::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
