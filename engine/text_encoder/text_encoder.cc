// SPDX-License-Identifier: Apache-2.0
//
// The public face: include/quire/encoder.h over the rooms below.
#include <utility>

#include "engine/text_encoder/batch_encoder.h"
#include "engine/text_encoder/boundary.h"
#include "engine/text_encoder/folder.h"
#include "quire/encoder.h"

namespace quire {

struct ModelFolder::State {
  engine::Folder folder;
};

ModelFolder::ModelFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}
ModelFolder::ModelFolder(ModelFolder&&) noexcept = default;
ModelFolder& ModelFolder::operator=(ModelFolder&&) noexcept = default;
ModelFolder::~ModelFolder() = default;

Result<ModelFolder> ModelFolder::open(const std::string& folder, const EngineOptions& options) {
  return engine::guarded([&]() -> Result<ModelFolder> {
    QUIRE_ASSIGN_OR_RETURN(engine::Folder opened, engine::open_folder(folder, options));
    return ModelFolder(std::make_unique<State>(State{std::move(opened)}));
  });
}

const Description& ModelFolder::describe() const { return state_->folder.description; }

Result<Plan> ModelFolder::plan(std::int64_t tokens, std::int64_t sequences) const {
  return engine::guarded([&] { return engine::make_plan(state_->folder, tokens, sequences); });
}

Result<Tokenized> ModelFolder::tokenize(const Input& input, const EncodeOptions& options) const {
  return engine::guarded([&]() -> Result<Tokenized> {
    const engine::Folder& folder = state_->folder;
    QUIRE_ASSIGN_OR_RETURN(const engine::EncodeRequest request, engine::resolve_tokenizing(folder, options));
    tokenize::Encoding encoding;
    Tokenized out;
    out.status = engine::tokens_of(folder, request, input, encoding, out.truncated);
    if (!out.status.ok()) return out;
    for (std::size_t i = 0; i < encoding.ids.size(); ++i)
      out.tokens.push_back({encoding.ids[i], std::string(folder.tokenizer.token(encoding.ids[i]).value_or("")),
                            encoding.offsets[i].begin, encoding.offsets[i].end});
    return out;
  });
}

struct TextEncoder::State {
  ModelFolder folder;
  std::shared_ptr<const engine::Model> model;
  std::unique_ptr<ThreadPool> pool;
  engine::BatchEncoder batches;
};

TextEncoder::TextEncoder(std::unique_ptr<State> state) : state_(std::move(state)) {}
TextEncoder::TextEncoder(TextEncoder&&) noexcept = default;
TextEncoder& TextEncoder::operator=(TextEncoder&&) noexcept = default;
TextEncoder::~TextEncoder() = default;

Result<TextEncoder> TextEncoder::load(const std::string& folder, const EngineOptions& options) {
  QUIRE_ASSIGN_OR_RETURN(ModelFolder opened, ModelFolder::open(folder, options));
  return load(std::move(opened));
}

Result<TextEncoder> TextEncoder::load(ModelFolder folder) {
  return engine::guarded([&]() -> Result<TextEncoder> {
    const engine::Folder& parts = folder.state_->folder;
    QUIRE_ASSIGN_OR_RETURN(auto model, engine::Model::create(parts.spec, parts.weights, parts.kernels));
    QUIRE_ASSIGN_OR_RETURN(auto pool, ThreadPool::create(parts.threads.threads));
    engine::BatchEncoder batches(model, *pool);
    return TextEncoder(
        std::make_unique<State>(State{std::move(folder), std::move(model), std::move(pool), std::move(batches)}));
  });
}

const ModelFolder& TextEncoder::folder() const { return state_->folder; }
const Description& TextEncoder::describe() const { return state_->folder.describe(); }
std::int64_t TextEncoder::weight_bytes() const { return state_->model->packed_bytes(); }
std::int64_t TextEncoder::workspace_bytes() const { return state_->batches.workspace_bytes(); }

Status TextEncoder::reserve(std::int64_t tokens, std::int64_t sequences) {
  return engine::guarded([&] { return state_->batches.reserve({tokens, sequences}); });
}

Status TextEncoder::encode(std::span<const Input> inputs, const EncodeOptions& options,
                           const std::function<void(std::size_t, Embedding&&)>& on_item) {
  return engine::guarded([&]() -> Status {
    const engine::Folder& folder = state_->folder.state_->folder;
    QUIRE_ASSIGN_OR_RETURN(const engine::EncodeRequest request, engine::resolve(folder, options));
    return state_->batches.encode(folder, request, inputs, on_item);
  });
}

Result<std::vector<Embedding>> TextEncoder::encode(std::span<const Input> inputs, const EncodeOptions& options) {
  return engine::guarded([&]() -> Result<std::vector<Embedding>> {
    std::vector<Embedding> results;
    results.reserve(inputs.size());
    QUIRE_RETURN_IF_ERROR(
        encode(inputs, options, [&](std::size_t, Embedding&& item) { results.push_back(std::move(item)); }));
    return results;
  });
}

Result<std::vector<Embedding>> TextEncoder::encode(std::initializer_list<Input> inputs, const EncodeOptions& options) {
  return encode(std::span<const Input>(inputs.begin(), inputs.size()), options);
}

}  // namespace quire
