// SPDX-License-Identifier: Apache-2.0
#include "loader/pooling_config.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "loader/json_reader.h"
#include "loader/message.h"

namespace quire::loader {
namespace {

struct ModeName {
  std::string_view name;     // "pooling_mode" value
  std::string_view boolean;  // older key
  std::optional<PoolingMode> mode;
};

constexpr ModeName kModes[] = {
    {"cls", "pooling_mode_cls_token", PoolingMode::cls},
    {"max", "pooling_mode_max_tokens", PoolingMode::max},
    {"mean", "pooling_mode_mean_tokens", PoolingMode::mean},
    {"mean_sqrt_len_tokens", "pooling_mode_mean_sqrt_len_tokens", std::nullopt},
    {"weightedmean", "pooling_mode_weightedmean_tokens", std::nullopt},
    {"lasttoken", "pooling_mode_lasttoken", std::nullopt},
};

std::vector<std::string> modes_of_booleans(JsonReader& reader) {
  std::vector<std::string> modes;
  for (const ModeName& known : kModes) {
    bool on = false;
    reader.optional_bool(known.boolean, on);
    if (on) modes.emplace_back(known.name);
  }
  if (modes.empty()) modes.emplace_back("mean");
  return modes;
}

std::vector<std::string> modes_by_name(JsonReader& reader, const JsonValue& value) {
  std::vector<std::string> modes;
  if (value.kind == JsonValue::Kind::string) {
    modes.push_back(value.text);
  } else if (value.kind == JsonValue::Kind::array) {
    reader.optional_strings("pooling_mode", modes);
    if (value.items.empty()) reader.fail(StatusCode::corrupt_file, "\"pooling_mode\" is an empty list");
  } else {
    reader.wrong("pooling_mode", value, "a string or a list of strings");
  }
  return modes;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " + ") + name;
  return in_quotes(out);
}

PoolingMode choose(JsonReader& reader, const std::vector<std::string>& modes) {
  const std::string allowed = "; supported is one of mean, cls and max";
  if (modes.size() != 1) {
    reader.fail(StatusCode::unsupported, "pooling mode " + joined(modes) + ": several at once" + allowed);
    return PoolingMode::mean;
  }
  const auto known = std::find_if(std::begin(kModes), std::end(kModes), [&](auto& m) { return m.name == modes[0]; });
  if (known != std::end(kModes) && known->mode) return *known->mode;
  reader.fail(StatusCode::unsupported, "pooling mode " + in_quotes(modes[0]) + allowed);
  return PoolingMode::mean;
}

}  // namespace

Result<PoolingConfig> read_pooling_config(const std::filesystem::path& file) {
  Result<JsonValue> root = read_json_object(file);
  if (!root.ok()) return root.status();
  JsonReader reader(*root, file.string());
  PoolingConfig out;
  bool include_prompt = true;
  reader.optional_bool("include_prompt", include_prompt);
  if (!include_prompt)
    reader.fail(StatusCode::unsupported, "\"include_prompt\" is false: pooling without the prompt is not supported");
  reader.optional_size("word_embedding_dimension", out.dimension);
  reader.optional_size("embedding_dimension", out.dimension);
  const JsonValue* named = reader.given("pooling_mode");
  out.mode = choose(reader, named == nullptr ? modes_of_booleans(reader) : modes_by_name(reader, *named));
  if (!reader.status().ok()) return reader.status();
  return out;
}

}  // namespace quire::loader
