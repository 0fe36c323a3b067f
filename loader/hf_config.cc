// SPDX-License-Identifier: Apache-2.0
#include "loader/hf_config.h"

#include <cmath>

#include "loader/file.h"
#include "loader/json_reader.h"
#include "loader/message.h"

namespace quire::loader {
namespace {

// transformers writes 1e30 (as an integer of 31 digits) where a tokenizer has no limit.
constexpr double kUnsetLimit = 1e9;

Result<JsonValue> read_config(const std::filesystem::path& folder, const char* name) {
  if (Status status = check_folder(folder); !status.ok()) return status;
  return read_json_object(folder / name);
}

void refuse_model_type(JsonReader& reader) {
  std::string model_type;
  reader.require_string("model_type", model_type);
  if (model_type != "bert")
    reader.fail(StatusCode::unsupported, "\"model_type\" is " + in_quotes(model_type) + ", wanted \"bert\"");
}

// Keys whose presence makes it another network than BERT, whatever model_type says.
void refuse_variants(JsonReader& reader) {
  std::string position_kind = "absolute";
  bool is_decoder = false;
  reader.optional_string("position_embedding_type", position_kind);
  reader.optional_bool("is_decoder", is_decoder);
  if (position_kind != "absolute")
    reader.fail(StatusCode::unsupported,
                "\"position_embedding_type\" is " + in_quotes(position_kind) + "; only \"absolute\" is supported");
  if (is_decoder)
    reader.fail(StatusCode::unsupported, "\"is_decoder\" is true: a decoder's causal attention is not supported");
  if (reader.given("auto_map") != nullptr)
    reader.fail(StatusCode::unsupported, "\"auto_map\" is set: the model runs code of its own, which is not supported");
  if (reader.given("quantization_config") != nullptr)
    reader.fail(StatusCode::unsupported, "\"quantization_config\" is set: quantized weights are not supported");
  if (const JsonValue* pruned = reader.given("pruned_heads"); pruned != nullptr && !pruned->items.empty())
    reader.fail(StatusCode::unsupported, "\"pruned_heads\" is not empty: pruned heads are not supported");
}

void read_numbers(JsonReader& reader, BertConfig& out) {
  reader.require_size("vocab_size", out.vocab_size);
  reader.require_size("hidden_size", out.hidden_size);
  reader.require_size("num_hidden_layers", out.num_hidden_layers);
  reader.require_size("num_attention_heads", out.num_attention_heads);
  reader.require_size("intermediate_size", out.intermediate_size);
  reader.require_size("max_position_embeddings", out.max_position_embeddings);
  reader.optional_size("type_vocab_size", out.type_vocab_size);
  reader.optional_string("hidden_act", out.hidden_act);
  reader.optional_number("layer_norm_eps", out.layer_norm_eps);
}

void check_ranges(JsonReader& reader, const BertConfig& config) {
  if (!(config.layer_norm_eps > 0 && config.layer_norm_eps < 1))
    reader.wrong("layer_norm_eps", *reader.given("layer_norm_eps"), "a number above 0 and below 1");
  if (reader.status().ok() && config.hidden_size % config.num_attention_heads != 0)
    reader.fail(StatusCode::corrupt_file, "\"num_attention_heads\" " + std::to_string(config.num_attention_heads) +
                                              " does not divide \"hidden_size\" " + std::to_string(config.hidden_size));
}

}  // namespace

Result<ModelKind> read_model_kind(const std::filesystem::path& folder) {
  Result<JsonValue> root = read_config(folder, "config.json");
  if (!root.ok()) return root.status();
  JsonReader reader(*root, (folder / "config.json").string());
  ModelKind out;
  reader.require_string("model_type", out.model_type);
  reader.optional_strings("architectures", out.architectures);
  if (!reader.status().ok()) return reader.status();
  return out;
}

Result<BertConfig> read_bert_config(const std::filesystem::path& folder) {
  Result<JsonValue> root = read_config(folder, "config.json");
  if (!root.ok()) return root.status();
  JsonReader reader(*root, (folder / "config.json").string());
  BertConfig out;
  refuse_model_type(reader);
  refuse_variants(reader);
  read_numbers(reader, out);
  check_ranges(reader, out);
  if (!reader.status().ok()) return reader.status();
  return out;
}

Result<Index> read_tokenizer_limit(const std::filesystem::path& folder) {
  if (Status status = check_folder(folder); !status.ok()) return status;
  if (!file_exists(folder / "tokenizer_config.json")) return Index{0};
  Result<JsonValue> root = read_config(folder, "tokenizer_config.json");
  if (!root.ok()) return root.status();
  JsonReader reader(*root, (folder / "tokenizer_config.json").string());
  const JsonValue* value = reader.given("model_max_length");
  double limit = 0;
  if (value == nullptr) return Index{0};
  if (read_number(*value, limit) && limit > kUnsetLimit) return Index{0};
  if (limit >= 1 && std::floor(limit) == limit) return static_cast<Index>(limit);
  reader.wrong("model_max_length", *value, "a whole number above 0");
  return reader.status();
}

}  // namespace quire::loader
