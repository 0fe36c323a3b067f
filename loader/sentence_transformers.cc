// SPDX-License-Identifier: Apache-2.0
#include "loader/sentence_transformers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "loader/file.h"
#include "loader/json_reader.h"
#include "loader/message.h"
#include "loader/pooling_config.h"

namespace quire::loader {
namespace {

constexpr std::string_view kModuleKinds[] = {"Transformer", "Pooling", "Normalize"};

struct Module {
  std::string kind;  // last component of the dotted type
  std::string path;  // inside the folder
};

std::string last_component(const std::string& type) { return type.substr(type.rfind('.') + 1); }

// Relative, and never up: module paths come out of a downloaded file.
bool stays_inside(const std::string& path) {
  if (path.find('\0') != path.npos || path.find('\\') != path.npos) return false;
  const std::filesystem::path parts(path);
  return !parts.is_absolute() && std::find(parts.begin(), parts.end(), "..") == parts.end();
}

Result<Module> read_module(const JsonValue& entry, std::size_t position, const std::string& where) {
  const std::string label = where + ": module " + std::to_string(position);
  if (entry.kind != JsonValue::Kind::object)
    return Status(StatusCode::corrupt_file, label + " is " + describe(entry) + ", wanted an object");
  JsonReader reader(entry, label);
  std::string type;
  Module module;
  reader.require_string("type", type);
  reader.require_string("path", module.path);
  double index = static_cast<double>(position);
  reader.optional_number("idx", index);
  if (index != static_cast<double>(position))
    reader.wrong("idx", *reader.given("idx"), std::to_string(position) + ", its place in the list");
  if (!stays_inside(module.path))
    reader.fail(StatusCode::corrupt_file, "\"path\" " + in_quotes(module.path) + " leaves the model folder");
  module.kind = last_component(type);
  if (std::find(std::begin(kModuleKinds), std::end(kModuleKinds), module.kind) == std::end(kModuleKinds))
    reader.fail(StatusCode::unsupported, "kind " + in_quotes(type) + " (path " + in_quotes(module.path) +
                                             ") is not supported; supported are Transformer, Pooling and Normalize");
  if (!reader.status().ok()) return reader.status();
  return module;
}

Result<std::vector<Module>> read_modules(const std::filesystem::path& file) {
  Result<JsonValue> root = read_json_array(file);
  if (!root.ok()) return root.status();
  std::vector<Module> modules;
  std::string order;
  for (const JsonValue& entry : root->items) {
    Result<Module> module = read_module(entry, modules.size(), file.string());
    if (!module.ok()) return module.status();
    order += (order.empty() ? "" : ", ") + module->kind;
    modules.push_back(*std::move(module));
  }
  bool known = !modules.empty() && modules.size() <= std::size(kModuleKinds);
  for (std::size_t i = 0; known && i < modules.size(); ++i) known = modules[i].kind == kModuleKinds[i];
  if (known) return modules;
  return Status(StatusCode::unsupported,
                file.string() + ": modules " + in_quotes(order) + "; supported is Transformer, [Pooling, [Normalize]]");
}

// The names that sentence-transformers tries, in its order.
constexpr std::string_view kTransformerFiles[] = {"sentence_bert_config.json",       "sentence_roberta_config.json",
                                                  "sentence_distilbert_config.json", "sentence_camembert_config.json",
                                                  "sentence_albert_config.json",     "sentence_xlm-roberta_config.json",
                                                  "sentence_xlnet_config.json"};

// A string key that may only have one value.
void require_value(JsonReader& reader, std::string_view key, std::string_view supported) {
  std::string value(supported);
  reader.optional_string(key, value);
  if (value != supported)
    reader.fail(StatusCode::unsupported,
                in_quotes(key) + " is " + in_quotes(value) + "; only " + in_quotes(supported) + " is supported");
}

// sentence-transformers from version 5.4 on says which output of which method it pools.
void require_last_hidden_state(JsonReader& reader) {
  const JsonValue* modalities = reader.given("modality_config");
  if (modalities == nullptr) return;
  const JsonValue* text = modalities->find("text");
  if (text == nullptr || text->kind != JsonValue::Kind::object)
    return reader.wrong("modality_config", *modalities, "an object that holds an object \"text\"");
  JsonReader method(*text, reader.where() + ": \"modality_config\"");
  require_value(method, "method", "forward");
  require_value(method, "method_output_name", "last_hidden_state");
  reader.adopt(method.status());
}

Status read_transformer_file(const std::filesystem::path& file, SentenceTransformersConfig& out) {
  Result<JsonValue> root = read_json_object(file);
  if (!root.ok()) return root.status();
  JsonReader reader(*root, file.string());
  reader.optional_size("max_seq_length", out.max_sequence_length);
  reader.optional_bool("do_lower_case", out.lower_case);
  require_value(reader, "transformer_task", "feature-extraction");
  require_value(reader, "module_output_name", "token_embeddings");
  require_last_hidden_state(reader);
  if (const JsonValue* settings = reader.given("processing_kwargs"); settings != nullptr && !settings->items.empty())
    reader.fail(StatusCode::unsupported, "\"processing_kwargs\" is not empty: not supported");
  return reader.status();
}

Status read_transformer(SentenceTransformersConfig& out) {
  for (std::string_view name : kTransformerFiles)
    if (file_exists(out.transformer / name)) return read_transformer_file(out.transformer / name, out);
  return {};
}

// A Normalize module mostly has no file at all.
Status check_normalize(const std::filesystem::path& file) {
  if (!file_exists(file)) return {};
  Result<JsonValue> root = read_json_object(file);
  if (!root.ok()) return root.status();
  JsonReader reader(*root, file.string());
  require_value(reader, "module_input_name", "sentence_embedding");
  require_value(reader, "module_output_name", "sentence_embedding");
  return reader.status();
}

void read_prompts(JsonReader& reader, SentenceTransformersConfig& out) {
  const JsonValue* prompts = reader.given("prompts");
  if (prompts != nullptr && prompts->kind != JsonValue::Kind::object)
    return reader.wrong("prompts", *prompts, "an object of strings");
  for (std::size_t i = 0; prompts != nullptr && i < prompts->items.size(); ++i) {
    const JsonValue& text = prompts->items[i];
    // null stands for the empty prompt there.
    if (text.kind != JsonValue::Kind::string && text.kind != JsonValue::Kind::null)
      return reader.fail(StatusCode::corrupt_file,
                         "prompt " + in_quotes(prompts->keys[i]) + " is " + describe(text) + ", wanted a string");
    out.prompts.emplace(prompts->keys[i], text.text);
  }
  reader.optional_string("default_prompt_name", out.default_prompt);
  if (!out.default_prompt.empty() && !out.prompts.contains(out.default_prompt))
    reader.fail(StatusCode::corrupt_file,
                "\"default_prompt_name\" " + in_quotes(out.default_prompt) + " is not among \"prompts\"");
}

Status read_model_settings(const std::filesystem::path& file, SentenceTransformersConfig& out) {
  if (!file_exists(file)) return {};
  Result<JsonValue> root = read_json_object(file);
  if (!root.ok()) return root.status();
  JsonReader reader(*root, file.string());
  require_value(reader, "model_type", "SentenceTransformer");
  if (const JsonValue* dimension = reader.given("truncate_dim"))
    reader.fail(StatusCode::unsupported, "\"truncate_dim\" is " + describe(*dimension) + ": not supported");
  read_prompts(reader, out);
  return reader.status();
}

}  // namespace

Result<SentenceTransformersConfig> read_sentence_transformers(const std::filesystem::path& folder) {
  if (Status status = check_folder(folder); !status.ok()) return status;
  SentenceTransformersConfig out;
  out.transformer = folder;
  if (!file_exists(folder / "modules.json")) return out;
  Result<std::vector<Module>> modules = read_modules(folder / "modules.json");
  if (!modules.ok()) return modules.status();
  out.present = true;
  if (!modules->front().path.empty()) out.transformer = folder / modules->front().path;
  if (modules->size() > 1) {
    const std::filesystem::path file = std::filesystem::path((*modules)[1].path) / "config.json";
    Result<PoolingConfig> pooling = read_pooling_config(folder / file);
    if (!pooling.ok()) return pooling.status();
    out.pooling = pooling->mode;
    out.pooling_dimension = pooling->dimension;
    out.pooling_source = file.string();
  }
  if (modules->size() > 2) {
    if (Status status = check_normalize(folder / (*modules)[2].path / "config.json"); !status.ok()) return status;
    out.normalize = true;
  }
  if (Status status = read_transformer(out); !status.ok()) return status;
  if (Status status = read_model_settings(folder / "config_sentence_transformers.json", out); !status.ok())
    return status;
  return out;
}

}  // namespace quire::loader
