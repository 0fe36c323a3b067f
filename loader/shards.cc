// SPDX-License-Identifier: Apache-2.0
#include "loader/shards.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "loader/file.h"
#include "loader/json.h"
#include "loader/message.h"

namespace quire::loader {
namespace {

constexpr std::string_view kSingleFile = "model.safetensors";
constexpr std::string_view kIndexFile = "model.safetensors.index.json";

// Other forms of weights that Hugging Face folders hold.
constexpr std::string_view kOtherForms[] = {"pytorch_model.bin", "pytorch_model.bin.index.json",
                                            "tf_model.h5",       "flax_model.msgpack",
                                            "model.onnx",        "onnx/model.onnx"};

Status no_weights(const std::filesystem::path& folder) {
  for (std::string_view name : kOtherForms)
    if (file_exists(folder / name))
      return {StatusCode::unsupported,
              folder.string() + ": holds " + std::string(name) + " but no " + std::string(kSingleFile) +
                  "; convert it, for instance with transformers: AutoModel.from_pretrained(folder).save_pretrained("
                  "folder, safe_serialization=True)"};
  return {StatusCode::not_found,
          folder.string() + ": holds neither " + std::string(kSingleFile) + " nor " + std::string(kIndexFile)};
}

// A hostile index must not reach files outside the folder.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos && name.find('\\') == name.npos &&
         name.find('\0') == name.npos;
}

Status add_entry(const std::string& where, const std::string& tensor, const JsonValue& file, WeightFiles& out) {
  const std::string entry = where + ": weight_map " + in_quotes(tensor);
  if (file.kind != JsonValue::Kind::string)
    return {StatusCode::corrupt_file, entry + " is " + describe(file) + ", wanted a file name"};
  if (!is_plain_name(file.text))
    return {StatusCode::corrupt_file, entry + " names " + in_quotes(file.text) + ", which is no plain file name"};
  out.files.push_back(file.text);
  out.file_of.emplace(tensor, file.text);
  return {};
}

Result<WeightFiles> read_index(const std::filesystem::path& path) {
  Result<JsonValue> root = read_json_object(path);
  if (!root.ok()) return root.status();
  const std::string where = path.string();
  const JsonValue* map = root->find("weight_map");
  if (map == nullptr) return Status(StatusCode::not_found, where + ": key \"weight_map\" is missing");
  if (map->kind != JsonValue::Kind::object)
    return Status(StatusCode::corrupt_file, where + ": \"weight_map\" is " + describe(*map) + ", wanted an object");
  if (map->items.empty()) return Status(StatusCode::corrupt_file, where + ": \"weight_map\" is empty");
  WeightFiles out;
  out.source = path;
  for (std::size_t i = 0; i < map->items.size(); ++i)
    if (Status status = add_entry(where, map->keys[i], map->items[i], out); !status.ok()) return status;
  std::sort(out.files.begin(), out.files.end());
  out.files.erase(std::unique(out.files.begin(), out.files.end()), out.files.end());
  return out;
}

}  // namespace

Result<WeightFiles> find_weight_files(const std::filesystem::path& folder) {
  if (Status status = check_folder(folder); !status.ok()) return status;
  if (file_exists(folder / kSingleFile)) return WeightFiles{folder / kSingleFile, {std::string(kSingleFile)}, {}};
  if (file_exists(folder / kIndexFile)) return read_index(folder / kIndexFile);
  return no_weights(folder);
}

}  // namespace quire::loader
