// SPDX-License-Identifier: Apache-2.0
#include "loader/json_reader.h"

#include <charconv>
#include <utility>

#include "loader/message.h"

namespace quire::loader {
namespace {

template <class T>
bool parse_whole(const JsonValue& value, T& out) {
  if (value.kind != JsonValue::Kind::number) return false;
  const char* end = value.text.data() + value.text.size();
  const auto [rest, error] = std::from_chars(value.text.data(), end, out);
  return error == std::errc() && rest == end;
}

bool read_size(const JsonValue& value, Index& out) {
  Index size = 0;
  if (!parse_whole(value, size) || size < 1 || size > kLargestSize) return false;
  out = size;
  return true;
}

}  // namespace

bool read_number(const JsonValue& value, double& out) { return parse_whole(value, out); }

const JsonValue* JsonReader::given(std::string_view key) const {
  const JsonValue* value = object_.find(key);
  return value == nullptr || value->kind == JsonValue::Kind::null ? nullptr : value;
}

const JsonValue* JsonReader::require(std::string_view key) {
  const JsonValue* value = object_.find(key);
  if (value == nullptr) fail(StatusCode::not_found, "key " + in_quotes(key) + " is missing");
  return value;
}

void JsonReader::require_size(std::string_view key, Index& out) {
  const JsonValue* value = require(key);
  if (value != nullptr && !read_size(*value, out))
    wrong(key, *value, "a whole number from 1 to " + std::to_string(kLargestSize));
}

void JsonReader::optional_size(std::string_view key, Index& out) {
  if (given(key) != nullptr) require_size(key, out);
}

void JsonReader::require_string(std::string_view key, std::string& out) {
  const JsonValue* value = require(key);
  if (value == nullptr) return;
  if (value->kind != JsonValue::Kind::string) return wrong(key, *value, "a string");
  out = value->text;
}

void JsonReader::optional_string(std::string_view key, std::string& out) {
  if (given(key) != nullptr) require_string(key, out);
}

void JsonReader::optional_strings(std::string_view key, std::vector<std::string>& out) {
  const JsonValue* value = given(key);
  if (value == nullptr) return;
  if (value->kind != JsonValue::Kind::array) return wrong(key, *value, "an array of strings");
  for (const JsonValue& item : value->items) {
    if (item.kind != JsonValue::Kind::string)
      return fail(StatusCode::corrupt_file, in_quotes(key) + " holds " + describe(item) + ", wanted strings only");
    out.push_back(item.text);
  }
}

void JsonReader::optional_bool(std::string_view key, bool& out) {
  const JsonValue* value = given(key);
  if (value == nullptr) return;
  if (value->kind != JsonValue::Kind::boolean) return wrong(key, *value, "true or false");
  out = value->boolean;
}

void JsonReader::optional_number(std::string_view key, double& out) {
  const JsonValue* value = given(key);
  if (value != nullptr && !read_number(*value, out)) wrong(key, *value, "a number");
}

void JsonReader::fail(StatusCode code, const std::string& fact) {
  if (status_.ok()) status_ = Status(code, where_ + ": " + fact);
}

void JsonReader::adopt(const Status& other) {
  if (status_.ok()) status_ = other;
}

void JsonReader::wrong(std::string_view key, const JsonValue& found, const std::string& wanted) {
  fail(StatusCode::corrupt_file, in_quotes(key) + " is " + describe(found) + ", wanted " + wanted);
}

}  // namespace quire::loader
