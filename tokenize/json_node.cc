// SPDX-License-Identifier: Apache-2.0
#include "tokenize/json_node.h"

#include <algorithm>
#include <cstdio>

namespace quire::tokenize {
namespace {

std::string describe(simdjson::dom::element element) {
  switch (element.type()) {
    case simdjson::dom::element_type::ARRAY:
      return "an array";
    case simdjson::dom::element_type::OBJECT:
      return "an object";
    case simdjson::dom::element_type::STRING:
      return "the string " + in_quotes(element.get_string().value_unsafe());
    case simdjson::dom::element_type::BOOL:
      return element.get_bool().value_unsafe() ? "true" : "false";
    case simdjson::dom::element_type::NULL_VALUE:
      return "null";
    case simdjson::dom::element_type::INT64:
      return std::to_string(element.get_int64().value_unsafe());
    case simdjson::dom::element_type::UINT64:
      return std::to_string(element.get_uint64().value_unsafe());
    default:
      return std::to_string(element.get_double().value_unsafe());
  }
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  std::string out = "\"";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02X", byte);
      out += code;
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + (text.size() > kLongest ? "...\"" : "\"");
}

std::string JsonNode::child_path(std::string_view key) const {
  const std::string quoted = in_quotes(key);
  return (path_.empty() ? "" : path_ + ".") + quoted.substr(1, quoted.size() - 2);
}

Status JsonNode::wrong_kind(std::string_view wanted) const {
  return corrupt("is " + describe(element_) + ", must be " + std::string(wanted));
}

Result<JsonNode> JsonNode::member(std::string_view key) const {
  if (!is_object()) return wrong_kind("an object");
  simdjson::dom::element found;
  if (element_.at_key(key).get(found) != simdjson::SUCCESS) return corrupt("key " + in_quotes(key) + " is missing");
  return JsonNode(found, file_, child_path(key));
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  simdjson::dom::element found;
  if (!is_object() || element_.at_key(key).get(found) != simdjson::SUCCESS || found.is_null()) return std::nullopt;
  return JsonNode(found, file_, child_path(key));
}

Result<std::string_view> JsonNode::string() const {
  std::string_view value;
  if (element_.get_string().get(value) != simdjson::SUCCESS) return wrong_kind("a string");
  return value;
}

Result<bool> JsonNode::boolean() const {
  bool value = false;
  if (element_.get_bool().get(value) != simdjson::SUCCESS) return wrong_kind("true or false");
  return value;
}

Result<Index> JsonNode::integer(Index low, Index high) const {
  std::int64_t value = 0;
  if (element_.get_int64().get(value) != simdjson::SUCCESS || value < low || value > high)
    return wrong_kind("an integer from " + std::to_string(low) + " to " + std::to_string(high));
  return value;
}

Result<std::vector<JsonNode>> JsonNode::items() const {
  simdjson::dom::array array;
  if (element_.get_array().get(array) != simdjson::SUCCESS) return wrong_kind("an array");
  if (array.size() > static_cast<std::size_t>(kItems))
    return refuse("has " + std::to_string(array.size()) + " elements, at most " + std::to_string(kItems) +
                  " are allowed");
  std::vector<JsonNode> nodes;
  for (const simdjson::dom::element item : array)
    nodes.emplace_back(item, file_, path_ + "[" + std::to_string(nodes.size()) + "]");
  return nodes;
}

Result<simdjson::dom::object> JsonNode::object() const {
  simdjson::dom::object value;
  if (element_.get_object().get(value) != simdjson::SUCCESS) return wrong_kind("an object");
  return value;
}

Result<std::string_view> JsonNode::string(std::string_view key) const {
  QUIRE_ASSIGN_OR_RETURN(const JsonNode node, member(key));
  return node.string();
}

Result<bool> JsonNode::boolean(std::string_view key) const {
  QUIRE_ASSIGN_OR_RETURN(const JsonNode node, member(key));
  return node.boolean();
}

Status JsonNode::check_keys() const {
  QUIRE_ASSIGN_OR_RETURN(const simdjson::dom::object members, object());
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : members) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice == keys.end()) return {};
  return corrupt("key " + in_quotes(*twice) + " stands twice");
}

}  // namespace quire::tokenize
