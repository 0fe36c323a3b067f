// SPDX-License-Identifier: Apache-2.0
#include "engine/families/families.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "engine/families/bert.h"
#include "engine/tensor_check.h"
#include "loader/hf_config.h"

namespace quire::engine {
namespace {

struct Family {
  std::string_view model_type;
  std::span<const std::string_view> architectures;  // whose trunk this family runs
  Result<ModelSpec> (*read)(const std::filesystem::path& folder, const loader::Weights& weights);
};

Result<ModelSpec> read_bert(const std::filesystem::path& folder, const loader::Weights& weights) {
  QUIRE_ASSIGN_OR_RETURN(const loader::BertConfig config, loader::read_bert_config(folder));
  return bert_spec(config, [&](std::string_view name) { return weights.find(name) != nullptr; });
}

constexpr Family kFamilies[] = {{"bert", kBertArchitectures, read_bert}};

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

Result<const Family*> find_family(const std::string& config_file, const std::string& model_type) {
  std::string known;
  for (const Family& family : kFamilies) {
    if (family.model_type == model_type) return &family;
    known.append(known.empty() ? "" : ", ").append(family.model_type);
  }
  return unsupported(config_file + ": model_type \"" + model_type + "\" is not one that Quire runs (" + known + ")");
}

// A config without architectures is taken at its model_type's word.
Result<std::string> known_architecture(const std::string& config_file, const Family& family,
                                       const std::vector<std::string>& architectures) {
  if (architectures.empty()) return std::string{};
  for (const std::string& name : architectures)
    if (std::ranges::find(family.architectures, name) == family.architectures.end())
      return unsupported(config_file + ": architecture \"" + name + "\" is not one that Quire runs for model_type \"" +
                         std::string(family.model_type) + "\" (" + joined(family.architectures) + ")");
  return architectures.front();
}

}  // namespace

Result<ModelSpec> read_model_spec(const std::filesystem::path& folder, const loader::Weights& weights) {
  const std::string config_file = (folder / "config.json").string();
  QUIRE_ASSIGN_OR_RETURN(const loader::ModelKind kind, loader::read_model_kind(folder));
  QUIRE_ASSIGN_OR_RETURN(const Family* family, find_family(config_file, kind.model_type));
  QUIRE_ASSIGN_OR_RETURN(std::string architecture, known_architecture(config_file, *family, kind.architectures));
  QUIRE_ASSIGN_OR_RETURN(ModelSpec spec, family->read(folder, weights));
  spec.architecture = std::move(architecture);
  QUIRE_RETURN_IF_ERROR(check_tensors(spec, weights));
  return spec;
}

}  // namespace quire::engine
