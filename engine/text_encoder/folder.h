// SPDX-License-Identifier: Apache-2.0
//
// A model folder opened and checked: what ModelFolder holds and TextEncoder builds on.
#pragma once

#include <memory>
#include <string>

#include "base/level.h"
#include "base/limits.h"
#include "base/status.h"
#include "engine/forward.h"
#include "engine/kernel_set.h"
#include "engine/spec.h"
#include "loader/sentence_transformers.h"
#include "loader/weights.h"
#include "quire/encoder.h"
#include "tokenize/tokenizer.h"

namespace quire::engine {

struct Folder {
  std::shared_ptr<const loader::Weights> weights;
  ModelSpec spec;
  loader::SentenceTransformersConfig sentence;
  tokenize::Tokenizer tokenizer;
  LevelChoice level;
  ThreadChoice threads;
  KernelSet kernels;
  Description description;
};

Result<Folder> open_folder(const std::string& path, const EngineOptions& options);

// EncodeOptions with everything the folder decides filled in.
struct EncodeRequest {
  PoolingRequest pooling;
  std::string prompt;    // the text itself
  Index max_tokens = 0;  // 0: no limit
  bool truncate = false;
};

Result<EncodeRequest> resolve(const Folder& folder, const EncodeOptions& options);

// For tokenising alone: neither pooling nor the model's own limit matter.
Result<EncodeRequest> resolve_tokenizing(const Folder& folder, const EncodeOptions& options);

// One input as tokens. `truncated` is set when some were cut.
Status tokens_of(const Folder& folder, const EncodeRequest& request, const Input& input, tokenize::Encoding& out,
                 bool& truncated);

Result<Plan> make_plan(const Folder& folder, std::int64_t tokens, std::int64_t sequences);

}  // namespace quire::engine
