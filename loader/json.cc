// SPDX-License-Identifier: Apache-2.0
#include "loader/json.h"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "loader/file.h"
#include "loader/message.h"

namespace quire::loader {
namespace {

namespace ondemand = simdjson::ondemand;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// RFC 8259 section 6: [ "-" ] int [ "." 1*digit ] [ ("e" / "E") [ "+" / "-" ] 1*digit ], int without leading zeros.
bool is_json_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t integer = at;
  at = skip_digits(text, at);
  if (at == integer || (text[integer] == '0' && at > integer + 1)) return false;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = at + 1;
    at = skip_digits(text, fraction);
    if (at == fraction) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t exponent = at;
    at = skip_digits(text, exponent);
    if (at == exponent) return false;
  }
  return at == text.size();
}

std::string_view without_trailing_space(std::string_view token) {
  while (!token.empty() &&
         (token.back() == ' ' || token.back() == '\t' || token.back() == '\n' || token.back() == '\r'))
    token.remove_suffix(1);
  return token;
}

// The first key that stands twice, or null.
const std::string* duplicate_key(const std::vector<std::string>& keys) {
  std::vector<const std::string*> sorted;
  sorted.reserve(keys.size());
  for (const std::string& key : keys) sorted.push_back(&key);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return *a < *b; });
  const auto found =
      std::adjacent_find(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return *a == *b; });
  return found == sorted.end() ? nullptr : *found;
}

// simdjson's On-Demand parser checks a value when it is visited; the builder visits every one.
class Builder {
 public:
  explicit Builder(const std::string& where) : where_(where) {}

  Status build(ondemand::value value, int depth, JsonValue& out) {
    if (depth > kJsonDepth) return corrupt("nests deeper than " + std::to_string(kJsonDepth) + " levels");
    if (++values_ > kJsonValues) return corrupt("holds more than " + std::to_string(kJsonValues) + " values");
    ondemand::json_type type{};
    if (auto error = value.type().get(type)) return invalid(error);
    switch (type) {
      case ondemand::json_type::object:
        return build_object(value, depth, out);
      case ondemand::json_type::array:
        return build_array(value, depth, out);
      case ondemand::json_type::string:
        return build_string(value, out);
      default:
        return build_scalar(value.raw_json_token(), out);
    }
  }

  Status build_members(ondemand::object& object, int depth, JsonValue& out) {
    out.kind = JsonValue::Kind::object;
    for (auto member : object) {
      std::string_view key;
      ondemand::value value;
      if (auto error = member.unescaped_key().get(key)) return invalid(error);
      out.keys.emplace_back(key);
      if (auto error = member.value().get(value)) return invalid(error);
      if (Status status = build(value, depth + 1, out.items.emplace_back()); !status.ok()) return status;
    }
    if (const std::string* key = duplicate_key(out.keys)) return corrupt("key " + in_quotes(*key) + " stands twice");
    return {};
  }

  Status build_elements(ondemand::array& array, int depth, JsonValue& out) {
    out.kind = JsonValue::Kind::array;
    for (auto element : array) {
      ondemand::value value;
      if (auto error = element.get(value)) return invalid(error);
      if (Status status = build(value, depth + 1, out.items.emplace_back()); !status.ok()) return status;
    }
    return {};
  }

  Status corrupt(const std::string& fact) const { return {StatusCode::corrupt_file, where_ + ": " + fact}; }
  Status invalid(simdjson::error_code error) const {
    if (error == simdjson::MEMALLOC) return {StatusCode::out_of_memory, where_ + ": no memory to parse it"};
    return corrupt(std::string("is not valid JSON: ") + simdjson::error_message(error));
  }

 private:
  Status build_object(ondemand::value value, int depth, JsonValue& out) {
    ondemand::object object;
    if (auto error = value.get_object().get(object)) return invalid(error);
    return build_members(object, depth, out);
  }

  Status build_array(ondemand::value value, int depth, JsonValue& out) {
    ondemand::array array;
    if (auto error = value.get_array().get(array)) return invalid(error);
    return build_elements(array, depth, out);
  }

  Status build_string(ondemand::value value, JsonValue& out) {
    std::string_view text;
    if (auto error = value.get_string().get(text)) return invalid(error);
    out.kind = JsonValue::Kind::string;
    out.text = text;
    return {};
  }

  Status build_scalar(std::string_view raw, JsonValue& out) const {
    const std::string_view token = without_trailing_space(raw);
    if (token == "null") return {};
    if (token == "true" || token == "false") {
      out.kind = JsonValue::Kind::boolean;
      out.boolean = token == "true";
      return {};
    }
    if (!is_json_number(token)) return corrupt("is not valid JSON: " + in_quotes(token) + " is no value");
    out.kind = JsonValue::Kind::number;
    out.text = token;
    return {};
  }

  const std::string& where_;
  Index values_ = 0;
};

// A document together with the storage it points into.
class Document {
 public:
  Document(std::string_view text, const std::string& where) : builder_(where), padded_(text) {
    if (text.empty()) {
      status_ = builder_.corrupt("is empty");
    } else if (text.starts_with("\xEF\xBB\xBF")) {
      status_ = builder_.corrupt("begins with a byte order mark, which JSON does not allow");
    } else if (padded_.size() != text.size()) {  // how padded_string says that it got no memory
      status_ = builder_.invalid(simdjson::MEMALLOC);
    } else if (auto error = parser_.iterate(padded_).get(document_)) {
      status_ = builder_.invalid(error);
    }
  }

  Result<ondemand::object> object() {
    ondemand::object object;
    if (Status status = check_root(ondemand::json_type::object, "an object {...}"); !status.ok()) return status;
    if (auto error = document_.get_object().get(object)) return builder_.invalid(error);
    return object;
  }

  Result<ondemand::array> array() {
    ondemand::array array;
    if (Status status = check_root(ondemand::json_type::array, "an array [...]"); !status.ok()) return status;
    if (auto error = document_.get_array().get(array)) return builder_.invalid(error);
    return array;
  }

  // After the root value was visited as a whole.
  Status check_end() {
    const auto rest = document_.current_location().error();
    if (rest == simdjson::OUT_OF_BOUNDS) return {};
    return rest == simdjson::SUCCESS ? builder_.corrupt("is not valid JSON: more text follows after its end")
                                     : builder_.invalid(rest);
  }

  Builder& builder() { return builder_; }

 private:
  Status check_root(ondemand::json_type wanted, const char* name) {
    if (!status_.ok()) return status_;
    ondemand::json_type type{};
    if (auto error = document_.type().get(type)) return builder_.invalid(error);
    return type == wanted ? Status{} : builder_.corrupt(std::string("is not ") + name);
  }

  Builder builder_;
  simdjson::padded_string padded_;
  ondemand::parser parser_;
  ondemand::document document_;
  Status status_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

std::string describe(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return value.boolean ? "true" : "false";
    case JsonValue::Kind::number:
      return "the number " + value.text.substr(0, 40);
    case JsonValue::Kind::string:
      return "the string " + in_quotes(value.text);
    case JsonValue::Kind::array:
      return "an array";
    case JsonValue::Kind::object:
      return "an object";
  }
  return "a value of no kind";
}

Result<JsonValue> parse_json_object(std::string_view text, const std::string& where) {
  Document document(text, where);
  Result<ondemand::object> object = document.object();
  if (!object.ok()) return object.status();
  JsonValue root;
  if (Status status = document.builder().build_members(*object, 1, root); !status.ok()) return status;
  if (Status status = document.check_end(); !status.ok()) return status;
  return root;
}

Status visit_json_object(std::string_view text, const std::string& where, const JsonMemberVisitor& visit) {
  Document document(text, where);
  Result<ondemand::object> object = document.object();
  if (!object.ok()) return object.status();
  for (auto member : *object) {
    std::string_view key;
    ondemand::value value;
    Builder builder(where);  // one count of values per member
    if (auto error = member.unescaped_key().get(key)) return builder.invalid(error);
    if (auto error = member.value().get(value)) return builder.invalid(error);
    JsonValue tree;
    if (Status status = builder.build(value, 2, tree); !status.ok()) return status;
    if (Status status = visit(key, std::move(tree)); !status.ok()) return status;
  }
  return document.check_end();
}

Result<JsonValue> read_json_object(const std::filesystem::path& path) {
  Result<std::string> text = read_file(path, kJsonFileBytes);
  if (!text.ok()) return text.status();
  return parse_json_object(*text, path.string());
}

Result<JsonValue> read_json_array(const std::filesystem::path& path) {
  Result<std::string> text = read_file(path, kJsonFileBytes);
  if (!text.ok()) return text.status();
  const std::string where = path.string();
  Document document(*text, where);
  Result<ondemand::array> array = document.array();
  if (!array.ok()) return array.status();
  JsonValue root;
  if (Status status = document.builder().build_elements(*array, 1, root); !status.ok()) return status;
  if (Status status = document.check_end(); !status.ok()) return status;
  return root;
}

}  // namespace quire::loader
