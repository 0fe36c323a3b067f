// SPDX-License-Identifier: Apache-2.0
//
// Values of tokenizer.json that know where they stand, so that every complaint names file and key:
// "tokenizer.json: model.unk_token: is null, must be a string".
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace quire::tokenize {

// "text" in double quotes for messages: control bytes, quotes and backslashes escaped, cut after 100 bytes. What stands
// in a hostile file must not reach a terminal as it is.
std::string in_quotes(std::string_view text);

class JsonNode {
 public:
  static constexpr Index kItems = 100'000;  // of an array read as nodes; bounds memory

  JsonNode(simdjson::dom::element element, std::string file, std::string path)
      : element_(element), file_(std::move(file)), path_(std::move(path)) {}

  bool is_null() const { return element_.is_null(); }
  bool is_object() const { return element_.is_object(); }
  bool is_array() const { return element_.is_array(); }

  // Of an object. `member` must be there; `find` gives nothing for an absent key and for null.
  Result<JsonNode> member(std::string_view key) const;
  std::optional<JsonNode> find(std::string_view key) const;

  // The value, if it is of that kind; strings live as long as the parsed document.
  Result<std::string_view> string() const;
  Result<bool> boolean() const;
  Result<Index> integer(Index low, Index high) const;
  Result<std::vector<JsonNode>> items() const;   // of an array
  Result<simdjson::dom::object> object() const;  // keys may stand twice: see check_keys

  // The same for a member that must be there.
  Result<std::string_view> string(std::string_view key) const;
  Result<bool> boolean(std::string_view key) const;

  // corrupt_file for a key that stands twice, where two readers would see two files.
  Status check_keys() const;

  Status corrupt(std::string_view fact) const { return corrupt_file(where() + std::string(fact)); }
  Status refuse(std::string_view fact) const { return unsupported(where() + std::string(fact)); }

 private:
  std::string where() const { return file_ + ": " + (path_.empty() ? "" : path_ + ": "); }
  std::string child_path(std::string_view key) const;
  Status wrong_kind(std::string_view wanted) const;

  simdjson::dom::element element_;
  std::string file_, path_;
};

}  // namespace quire::tokenize
