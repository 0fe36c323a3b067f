// SPDX-License-Identifier: Apache-2.0
#include "engine/text_encoder/folder.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "engine/families/families.h"
#include "engine/model.h"
#include "loader/hf_config.h"

namespace quire::engine {
namespace {

namespace fs = std::filesystem;

struct Limit {
  Index tokens = 0;
  std::string source;
};

void lower_to(Limit& limit, Index tokens, const char* source) {
  if (tokens > 0 && tokens < limit.tokens) limit = {tokens, source};
}

// What the model was trained for or its positions allow, whichever is less.
Result<Limit> token_limit(const ModelSpec& spec, const loader::SentenceTransformersConfig& sentence) {
  Limit limit{spec.max_tokens, "config.json max_position_embeddings"};
  QUIRE_ASSIGN_OR_RETURN(const Index tokenizer_limit, loader::read_tokenizer_limit(sentence.transformer));
  lower_to(limit, tokenizer_limit, "tokenizer_config.json model_max_length");
  lower_to(limit, sentence.max_sequence_length, "sentence_bert_config.json max_seq_length");
  return limit;
}

std::string_view pooling_name(loader::PoolingMode mode) {
  switch (mode) {
    case loader::PoolingMode::mean:
      return "mean";
    case loader::PoolingMode::cls:
      return "cls";
    case loader::PoolingMode::max:
      return "max";
  }
  return "";
}

// sentence-transformers lowercases the text itself when do_lower_case is set. A tokenizer that does so already makes
// that a step without effect, which its own answers show: the capitals give the tokens of the small letters, and not
// only because all of them are unknown words.
Status check_lower_case(const loader::SentenceTransformersConfig& sentence, const tokenize::Tokenizer& tokenizer) {
  if (!sentence.lower_case) return {};
  tokenize::EncodeOptions plain;
  plain.add_special_tokens = false;
  tokenize::Encoding upper, lower;
  QUIRE_RETURN_IF_ERROR(tokenizer.encode("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", plain, upper));
  QUIRE_RETURN_IF_ERROR(tokenizer.encode("a b c d e f g h i j k l m n o p q r s t u v w x y z", plain, lower));
  bool distinct = false;
  for (TokenId id : lower.ids) distinct = distinct || id != lower.ids.front();
  if (upper.ids == lower.ids && distinct) return {};
  return unsupported(
      "sentence_bert_config.json: do_lower_case is true, but the tokenizer does not lowercase; Quire does not "
      "lowercase "
      "texts in front of the tokenizer");
}

Status check_pooling(const loader::SentenceTransformersConfig& sentence, const ModelSpec& spec) {
  if (sentence.pooling_dimension == 0 || sentence.pooling_dimension == spec.hidden) return {};
  return corrupt_file(sentence.pooling_source + ": pools rows of " + std::to_string(sentence.pooling_dimension) +
                      " components, the model's have " + std::to_string(spec.hidden));
}

Description describe(const std::string& path, const Folder& folder, const Limit& limit) {
  const ModelSpec& spec = folder.spec;
  const loader::SentenceTransformersConfig& sentence = folder.sentence;
  Description d;
  d.folder = path;
  d.family = spec.family;
  d.architecture = spec.architecture;
  d.parameters = folder.weights->parameters();
  d.layers = static_cast<Index>(spec.layers.size());
  d.hidden_size = spec.hidden;
  d.intermediate_size = spec.layers.empty() ? 0 : spec.layers.front().mlp.up.total_out();
  d.heads = spec.layers.empty() ? 0 : spec.layers.front().attention.heads;
  d.vocabulary = spec.embedding.vocabulary;
  d.max_tokens = limit.tokens;
  d.max_tokens_source = limit.source;
  d.position_limit = spec.max_tokens;
  if (sentence.pooling) {
    d.pooling = pooling_name(*sentence.pooling);
    d.pooling_source = sentence.pooling_source;
  }
  d.normalize = sentence.normalize;
  for (const auto& [name, text] : sentence.prompts) d.prompts.push_back(name);
  d.default_prompt = sentence.default_prompt;
  d.tokenizer = folder.tokenizer.describe();
  d.level = to_string(folder.kernels.level());
  d.level_reason = folder.level.reason;
  for (std::string_view name : folder.kernels.names()) d.kernels.emplace_back(name);
  d.precision = "f32";
  d.threads = folder.threads.threads;
  d.threads_reason = folder.threads.reason;
  return d;
}

}  // namespace

Result<Folder> open_folder(const std::string& path, const EngineOptions& options) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return not_found(path + ": no such folder");
  QUIRE_ASSIGN_OR_RETURN(LevelChoice level, choose_levels(options.level));
  QUIRE_ASSIGN_OR_RETURN(ThreadChoice threads, choose_threads(read_cpu_limits(), options.threads));
  QUIRE_ASSIGN_OR_RETURN(auto sentence, loader::read_sentence_transformers(path));
  QUIRE_ASSIGN_OR_RETURN(loader::Weights weights, loader::Weights::open(sentence.transformer));
  QUIRE_ASSIGN_OR_RETURN(ModelSpec spec, read_model_spec(sentence.transformer, weights));
  QUIRE_ASSIGN_OR_RETURN(tokenize::Tokenizer tokenizer, tokenize::Tokenizer::open(sentence.transformer));
  QUIRE_RETURN_IF_ERROR(check_lower_case(sentence, tokenizer));
  QUIRE_RETURN_IF_ERROR(check_pooling(sentence, spec));
  QUIRE_ASSIGN_OR_RETURN(const Limit limit, token_limit(spec, sentence));
  const KernelSet kernels = select_kernels(level.levels);
  Folder folder{std::make_shared<const loader::Weights>(std::move(weights)),
                std::move(spec),
                std::move(sentence),
                std::move(tokenizer),
                std::move(level),
                std::move(threads),
                kernels,
                {}};
  folder.description = describe(path, folder, limit);
  return folder;
}

Result<Plan> make_plan(const Folder& folder, std::int64_t tokens, std::int64_t sequences) {
  QUIRE_ASSIGN_OR_RETURN(const WorkspacePlan workspace,
                         WorkspacePlan::make(folder.spec, folder.kernels, folder.threads.threads, {tokens, sequences}));
  const WeightPlan weights = plan_weights(folder.spec, folder.kernels, *folder.weights);
  Plan plan;
  plan.tokens = tokens;
  plan.sequences = sequences;
  plan.weight_bytes = weights.packed_bytes;
  plan.mapped_bytes = weights.mapped_bytes;
  plan.workspace_bytes = workspace.arena().bytes();
  for (const Region& region : workspace.arena().regions())
    plan.regions.push_back({region.name, region.offset, region.bytes});
  return plan;
}

}  // namespace quire::engine
