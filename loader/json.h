// SPDX-License-Identifier: Apache-2.0
//
// JSON of model folders as a checked tree. Stricter than most readers, since two readers must never see two models in
// one file: duplicate keys are refused at every depth (Python's json would take the last, others the first). A byte
// order mark is refused as Python's json does. Numbers keep their spelling: tokenizer_config.json files hold integers
// that no integer type holds (model_max_length 1000000000000000019884624838656).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace quire::loader {

struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;               // of a string: its characters; of a number: its spelling
  std::vector<JsonValue> items;   // of an array: its elements; of an object: the values of its members
  std::vector<std::string> keys;  // of an object, in the order of the file

  const JsonValue* find(std::string_view key) const;  // of an object; null: absent
};

// For messages: `the number 384.5`, `the string "gelu"`, `null`, `true`, `an array`, `an object`.
std::string describe(const JsonValue& value);

// Limits against files made to exhaust memory or stack; a hundred times what real files hold.
inline constexpr int kJsonDepth = 64;
inline constexpr Index kJsonValues = 1'000'000;
inline constexpr Index kJsonFileBytes = Index{64} << 20;

// The object in `text`; anything else is a corrupt_file. `where` (a file name) begins every message.
Result<JsonValue> parse_json_object(std::string_view text, const std::string& where);

// The same, handing over one member after the other, so that only one is held in memory (kJsonValues is then per
// member). Duplicates among the top-level keys are left to the caller. Stops at the first error of `visit`.
using JsonMemberVisitor = std::function<Status(std::string_view key, JsonValue&& value)>;
Status visit_json_object(std::string_view text, const std::string& where, const JsonMemberVisitor& visit);

// A file that holds one JSON object, or, for modules.json, one JSON array.
Result<JsonValue> read_json_object(const std::filesystem::path& path);
Result<JsonValue> read_json_array(const std::filesystem::path& path);

}  // namespace quire::loader
