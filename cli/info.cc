// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <utility>
#include <variant>

#include "cli/json_write.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/report.h"

namespace quire::cli {
namespace {

// One fact, told twice: in words for people, as a JSON value for scripts.
struct Fact {
  const char* label;
  const char* key;
  std::variant<std::string, std::int64_t, bool, std::vector<std::string>> value;
  std::string remark;  // words only
};

std::string bytes_text(std::int64_t bytes) {
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB"};
  if (bytes < 1024) return "";
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  for (; value >= 1024 && unit < 2; ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %s", value, kUnits[unit]);
  return text;
}

// `many`: the plan of the largest pass that `quire embed` makes from many texts.
std::vector<Fact> facts_of(const Description& d, const Plan& plan, const Plan& many) {
  return {
      {"model", "model", d.folder, d.architecture.empty() ? d.family : d.family + ", " + d.architecture},
      {"parameters", "parameters", d.parameters, {}},
      {"layers", "layers", d.layers, {}},
      {"hidden size", "hidden_size", d.hidden_size, {}},
      {"MLP size", "intermediate_size", d.intermediate_size, {}},
      {"heads", "heads", d.heads, {}},
      {"vocabulary", "vocabulary", d.vocabulary, {}},
      {"tokenizer", "tokenizer", d.tokenizer, {}},
      {"most tokens", "max_tokens", d.max_tokens, d.max_tokens_source},
      {"positions", "position_limit", d.position_limit, "--max-length may go this far"},
      {"pooling", "pooling", d.pooling.empty() ? "none given: choose with --pooling" : d.pooling, d.pooling_source},
      {"normalize", "normalize", d.normalize, {}},
      {"prompts", "prompts", d.prompts, d.default_prompt.empty() ? "" : "default " + d.default_prompt},
      {"precision", "precision", d.precision, {}},
      {"level", "level", d.level, d.level_reason},
      {"kernels", "kernels", d.kernels, {}},
      {"threads", "threads", std::int64_t{d.threads}, d.threads_reason},
      {"weights packed", "weight_bytes", plan.weight_bytes, bytes_text(plan.weight_bytes)},
      {"weights mapped", "mapped_bytes", plan.mapped_bytes, bytes_text(plan.mapped_bytes)},
      {"many texts", "batch_workspace_bytes", many.workspace_bytes,
       bytes_text(many.workspace_bytes) + ", workspace for passes of " + std::to_string(many.tokens) + " tokens"},
      {"planned for", "plan_tokens", plan.tokens, "tokens"},
      {"workspace", "workspace_bytes", plan.workspace_bytes, bytes_text(plan.workspace_bytes)},
  };
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

void append_words(std::string& out, const Fact& fact) {
  char label[32];
  std::snprintf(label, sizeof(label), "%-16s", fact.label);
  out += label;
  if (const auto* text = std::get_if<std::string>(&fact.value)) out += *text;
  if (const auto* number = std::get_if<std::int64_t>(&fact.value)) out += std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&fact.value)) out += *flag ? "yes" : "no";
  if (const auto* words = std::get_if<std::vector<std::string>>(&fact.value)) out += joined(*words);
  if (!fact.remark.empty()) out += "  (" + fact.remark + ")";
  out += '\n';
}

void append_json_value(std::string& out, const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value)) append_json_string(out, *text);
  if (const auto* number = std::get_if<std::int64_t>(&fact.value)) append_json_int(out, *number);
  if (const auto* flag = std::get_if<bool>(&fact.value)) out += *flag ? "true" : "false";
  if (const auto* words = std::get_if<std::vector<std::string>>(&fact.value))
    append_json_list(out, std::span<const std::string>(*words),
                     [](std::string& to, const std::string& word) { append_json_string(to, word); });
}

std::string as_words(const std::vector<Fact>& facts, const Plan& plan) {
  std::string out;
  for (const Fact& fact : facts) append_words(out, fact);
  for (const Plan::Region& region : plan.regions) {
    char line[96];
    std::snprintf(line, sizeof(line), "  %-20s %12lld bytes at %lld\n", region.name.c_str(),
                  static_cast<long long>(region.bytes), static_cast<long long>(region.offset));
    out += line;
  }
  return out;
}

void append_string_field(std::string& out, const char* key, const std::string& value) {
  out.append(",\"").append(key).append("\":");
  append_json_string(out, value);
}

std::string as_json(const std::vector<Fact>& facts, const Description& d, const Plan& plan) {
  std::string out = "{";
  for (const Fact& fact : facts) {
    out.append(out.size() > 1 ? ",\"" : "\"").append(fact.key).append("\":");
    append_json_value(out, fact);
  }
  append_string_field(out, "family", d.family);
  append_string_field(out, "architecture", d.architecture);
  append_string_field(out, "max_tokens_source", d.max_tokens_source);
  append_string_field(out, "pooling_source", d.pooling_source);
  append_string_field(out, "default_prompt", d.default_prompt);
  append_string_field(out, "level_reason", d.level_reason);
  append_string_field(out, "threads_reason", d.threads_reason);
  out += ",\"regions\":";
  append_json_list(out, std::span<const Plan::Region>(plan.regions), [](std::string& to, const Plan::Region& region) {
    to += "{\"name\":";
    append_json_string(to, region.name);
    to += ",\"offset\":" + std::to_string(region.offset) + ",\"bytes\":" + std::to_string(region.bytes) + "}";
  });
  return out + "}\n";
}

Status write_info(const std::string& text) {
  Result<Output> output = Output::open("");
  if (!output.ok()) return output.status();
  if (Status status = output->write(text); !status.ok()) return status;
  return output->close();
}

}  // namespace

int run_info(const InfoOptions& options) {
  const Result<ModelFolder> folder = ModelFolder::open(options.model, options.engine);
  if (!folder.ok()) return fail(folder.status());
  const Description& model = folder->describe();
  const Result<Plan> plan = folder->plan(options.length == 0 ? model.max_tokens : options.length);
  if (!plan.ok()) return fail(plan.status());
  const Result<Plan> many = folder->plan(TextEncoder::kBatchTokens, TextEncoder::kBatchSequences);
  if (!many.ok()) return fail(many.status());
  const std::vector<Fact> facts = facts_of(model, *plan, *many);
  const Status status = write_info(options.json ? as_json(facts, model, *plan) : as_words(facts, *plan));
  return status.ok() ? kExitOk : fail(status);
}

}  // namespace quire::cli
