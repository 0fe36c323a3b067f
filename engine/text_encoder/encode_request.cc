// SPDX-License-Identifier: Apache-2.0
//
// What a caller asked for, with the folder's own choices filled in; and one input as tokens.
#include <algorithm>
#include <utility>

#include "engine/text_encoder/folder.h"
#include "engine/token_batch.h"

namespace quire::engine {
namespace {

PoolingKind kind_of(Pooling pooling) {
  switch (pooling) {
    case Pooling::mean:
      return PoolingKind::mean;
    case Pooling::cls:
      return PoolingKind::cls;
    case Pooling::max:
      return PoolingKind::max;
    case Pooling::first_last:
      return PoolingKind::first_last;
  }
  return PoolingKind::mean;
}

PoolingKind kind_of(loader::PoolingMode mode) {
  switch (mode) {
    case loader::PoolingMode::mean:
      return PoolingKind::mean;
    case loader::PoolingMode::cls:
      return PoolingKind::cls;
    case loader::PoolingMode::max:
      return PoolingKind::max;
  }
  return PoolingKind::mean;
}

Result<PoolingRequest> pooling_of(const Folder& folder, const EncodeOptions& options) {
  PoolingRequest request;
  request.normalize = options.normalize.value_or(folder.sentence.normalize);
  if (options.pooling)
    request.kind = kind_of(*options.pooling);
  else if (folder.sentence.pooling)
    request.kind = kind_of(*folder.sentence.pooling);
  else
    return invalid_argument(folder.description.folder +
                            ": the folder does not say how to pool (no modules.json); choose a pooling: mean, cls, max "
                            "or first-last");
  return request;
}

Result<std::string> prompt_of(const Folder& folder, const std::string& wish) {
  const std::string& name = wish.empty() ? folder.sentence.default_prompt : wish;
  if (name.empty()) return std::string{};
  const auto found = folder.sentence.prompts.find(name);
  if (found != folder.sentence.prompts.end()) return found->second;
  std::string known;
  for (const auto& [other, text] : folder.sentence.prompts) known.append(known.empty() ? "" : ", ").append(other);
  return invalid_argument("prompt \"" + name + "\" is not in the model folder, which has " +
                          (known.empty() ? "none" : known));
}

Result<Index> limit_of(const Folder& folder, std::int64_t wish) {
  const Description& model = folder.description;
  if (wish == 0) return Index{model.max_tokens};
  if (wish < 0 || wish > model.position_limit)
    return invalid_argument("a limit of " + std::to_string(wish) + " tokens: the model's positions allow 1 to " +
                            std::to_string(model.position_limit));
  return Index{wish};
}

Status cut_ids(std::span<const std::int32_t>& ids, const EncodeRequest& request, bool& truncated) {
  const auto count = static_cast<Index>(ids.size());
  if (request.max_tokens == 0 || count <= request.max_tokens) return {};
  if (!request.truncate)
    return too_long(std::to_string(count) + " tokens, the limit is " + std::to_string(request.max_tokens));
  ids = ids.first(static_cast<std::size_t>(request.max_tokens));
  truncated = true;
  return {};
}

Status given_ids(const Folder& folder, const EncodeRequest& request, std::span<const std::int32_t> ids,
                 tokenize::Encoding& out, bool& truncated) {
  if (ids.empty()) return invalid_argument("an empty list of token ids");
  QUIRE_RETURN_IF_ERROR(check_ids(ids, folder.spec.embedding.vocabulary));
  QUIRE_RETURN_IF_ERROR(cut_ids(ids, request, truncated));
  out.ids.assign(ids.begin(), ids.end());
  out.type_ids.assign(ids.size(), 0);
  out.offsets.assign(ids.size(), {});
  out.sequence_ids.assign(ids.size(), 0);
  out.special.assign(ids.size(), 0);
  return {};
}

// Offsets into prompt + text become offsets into the text; what lies in the prompt alone has none.
void shift_offsets(std::size_t prompt_bytes, tokenize::Encoding& out) {
  const auto shift = static_cast<std::uint32_t>(prompt_bytes);
  for (tokenize::ByteSpan& span : out.offsets) {
    if (span.end <= shift)
      span = {};
    else
      span = {span.begin - std::min(span.begin, shift), span.end - shift};
  }
}

}  // namespace

Result<EncodeRequest> resolve(const Folder& folder, const EncodeOptions& options) {
  EncodeRequest request;
  request.truncate = options.truncate;
  QUIRE_ASSIGN_OR_RETURN(request.pooling, pooling_of(folder, options));
  QUIRE_ASSIGN_OR_RETURN(request.prompt, prompt_of(folder, options.prompt));
  QUIRE_ASSIGN_OR_RETURN(request.max_tokens, limit_of(folder, options.max_tokens));
  return request;
}

Result<EncodeRequest> resolve_tokenizing(const Folder& folder, const EncodeOptions& options) {
  if (options.max_tokens < 0)
    return invalid_argument("a limit of " + std::to_string(options.max_tokens) + " tokens: must not be negative");
  EncodeRequest request;
  request.truncate = options.truncate;
  request.max_tokens = Index{options.max_tokens};
  QUIRE_ASSIGN_OR_RETURN(request.prompt, prompt_of(folder, options.prompt));
  return request;
}

Status tokens_of(const Folder& folder, const EncodeRequest& request, const Input& input, tokenize::Encoding& out,
                 bool& truncated) {
  out.clear();
  truncated = false;
  if (input.ids) return given_ids(folder, request, *input.ids, out, truncated);
  tokenize::EncodeOptions options;
  options.max_tokens = request.max_tokens;
  options.truncate = request.truncate;
  if (request.prompt.empty()) return folder.tokenizer.encode(input.text, options, out, &truncated);
  QUIRE_RETURN_IF_ERROR(folder.tokenizer.encode(request.prompt + std::string(input.text), options, out, &truncated));
  shift_offsets(request.prompt.size(), out);
  return {};
}

}  // namespace quire::engine
