// SPDX-License-Identifier: Apache-2.0
#include <simdjson.h>

#include <limits>
#include <string>
#include <utility>

#include "cli/items.h"

namespace quire::cli {
namespace {

namespace ondemand = simdjson::ondemand;

Status bad_line(std::string message) { return {StatusCode::invalid_argument, std::move(message)}; }

Status bad_json(simdjson::error_code code) {
  return bad_line(std::string("not JSON: ") + simdjson::error_message(code));
}

std::string_view trimmed(std::string_view raw) {
  const auto end = raw.find_last_not_of(" \t\r\n");
  return end == std::string_view::npos ? std::string_view{} : raw.substr(0, end + 1);
}

// RFC 8259 section 6. By hand, because a number of any size is given back as it was and never converted.
bool is_json_number(std::string_view s) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < s.size() && s[at] >= '0' && s[at] <= '9') ++at;
    return at - first;
  };
  if (at < s.size() && s[at] == '-') ++at;
  const bool zero = at < s.size() && s[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (at < s.size() && s[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < s.size() && (s[at] == 'e' || s[at] == 'E')) {
    ++at;
    if (at < s.size() && (s[at] == '+' || s[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == s.size();
}

Status read_text(ondemand::value value, Item& item) {
  std::string_view text;
  if (value.type().value_unsafe() != ondemand::json_type::string) return bad_line("\"text\" is not a string");
  if (const auto error = value.get_string().get(text)) return bad_json(error);
  item.text = text;
  return {};
}

Status read_ids(ondemand::value value, Item& item) {
  ondemand::array array;
  if (value.get_array().get(array)) return bad_line("\"ids\" is not a list of token ids");
  std::vector<std::int32_t>& ids = item.ids.emplace();
  for (auto element : array) {
    std::int64_t id = 0;
    if (element.get_int64().get(id) || id < 0 || id > std::numeric_limits<std::int32_t>::max())
      return bad_line("\"ids\" at index " + std::to_string(ids.size()) + " is not a token id");
    ids.push_back(static_cast<std::int32_t>(id));
  }
  return {};
}

Status read_id(ondemand::value value, Item& item) {
  const std::string_view raw = trimmed(value.raw_json_token());
  if (raw.starts_with('"')) {
    std::string_view checked;
    if (const auto error = value.get_string().get(checked)) return bad_json(error);
  } else if (!is_json_number(raw)) {
    return bad_line("\"id\" is neither a string nor a number");
  }
  item.id = raw;
  return {};
}

struct Seen {
  bool text = false, ids = false, id = false;
};

Status read_field(ondemand::field& field, Item& item, Seen& seen) {
  std::string_view key;
  if (const auto error = field.unescaped_key().get(key)) return bad_json(error);
  bool* known = key == "text" ? &seen.text : key == "ids" ? &seen.ids : key == "id" ? &seen.id : nullptr;
  if (known == nullptr) return {};
  if (std::exchange(*known, true)) return bad_line("the key " + std::string(key) + " stands there twice");
  ondemand::value value = field.value();
  if (known == &seen.text) return read_text(value, item);
  return known == &seen.ids ? read_ids(value, item) : read_id(value, item);
}

Status read_object(ondemand::document& document, Item& item) {
  ondemand::object object;
  if (const auto error = document.get_object().get(object))
    return error == simdjson::INCORRECT_TYPE ? bad_line("not a JSON object") : bad_json(error);
  Seen seen;
  for (auto entry : object) {
    ondemand::field field;
    if (const auto error = std::move(entry).get(field)) return bad_json(error);
    if (Status status = read_field(field, item, seen); !status.ok()) return status;
  }
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
    return bad_line("not JSON: something follows the object");
  if (seen.text == seen.ids) return bad_line(seen.text ? "both \"text\" and \"ids\"" : "neither \"text\" nor \"ids\"");
  return {};
}

}  // namespace

struct JsonLineParser::State {
  ondemand::parser parser;
  std::string padded;
};

JsonLineParser::JsonLineParser() : state_(std::make_unique<State>()) {}
JsonLineParser::~JsonLineParser() = default;
JsonLineParser::JsonLineParser(JsonLineParser&&) noexcept = default;

Item JsonLineParser::parse(std::string_view line) {
  Item item;
  state_->padded.assign(line);
  state_->padded.reserve(line.size() + simdjson::SIMDJSON_PADDING);
  ondemand::document document;
  if (const auto error = state_->parser.iterate(state_->padded).get(document)) {
    item.status = error == simdjson::EMPTY ? bad_line("an empty line is not JSON") : bad_json(error);
    return item;
  }
  item.status = read_object(document, item);
  return item;
}

}  // namespace quire::cli
