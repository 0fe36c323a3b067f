// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loader/json.h"

namespace quire::loader {

// No size in a config is larger; products of two still fit an Index.
inline constexpr Index kLargestSize = Index{1} << 31;

// Reads the members of one object, each checked for type and range, and keeps the first error: `file: "key" is found,
// wanted ...` (corrupt_file; an absent required key is not_found). After an error the outputs keep what they held. An
// optional key that is absent or null leaves its output alone.
class JsonReader {
 public:
  JsonReader(const JsonValue& object, std::string where) : object_(object), where_(std::move(where)) {}

  const Status& status() const { return status_; }
  const std::string& where() const { return where_; }

  const JsonValue* given(std::string_view key) const;  // null: absent or null

  void require_size(std::string_view key, Index& out);  // a whole number from 1 to kLargestSize
  void optional_size(std::string_view key, Index& out);
  void require_string(std::string_view key, std::string& out);
  void optional_string(std::string_view key, std::string& out);
  void optional_strings(std::string_view key, std::vector<std::string>& out);
  void optional_bool(std::string_view key, bool& out);
  void optional_number(std::string_view key, double& out);  // finite

  void fail(StatusCode code, const std::string& fact);  // "where: fact"
  void adopt(const Status& other);                      // of a reader of a member
  void wrong(std::string_view key, const JsonValue& found, const std::string& wanted);

 private:
  const JsonValue* require(std::string_view key);

  const JsonValue& object_;
  std::string where_;
  Status status_;
};

// The number as a double; false where it is none, or beyond the range of double.
bool read_number(const JsonValue& value, double& out);

}  // namespace quire::loader
