// SPDX-License-Identifier: Apache-2.0
//
// One caller's workspace for a fixed capacity, made once and reused for ever. A run allocates nothing.
#pragma once

#include <memory>

#include "base/aligned_memory.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "engine/forward.h"
#include "engine/model.h"
#include "engine/workspace.h"

namespace quire::engine {

class Session {
 public:
  // `pool` outlives the session.
  static Result<Session> create(std::shared_ptr<const Model> model, ThreadPool& pool, const Capacity& capacity);

  const Capacity& capacity() const { return plan_.capacity(); }
  const WorkspacePlan& plan() const { return plan_; }
  Index workspace_bytes() const { return arena_.bytes(); }

  // Checks the batch and runs it. Afterwards, until the next run, vector(s) is the pooled vector of sequence s and
  // hidden() the last layer's rows.
  Status run(const TokenBatch& batch, const PoolingRequest& request);

  std::span<const float> vector(Index sequence) const;
  MatrixView<const float> hidden() const { return space_.hidden; }

 private:
  Session(std::shared_ptr<const Model> model, ThreadPool& pool, WorkspacePlan plan, AlignedBuffer arena);

  std::shared_ptr<const Model> model_;
  ThreadPool* pool_;
  WorkspacePlan plan_;
  AlignedBuffer arena_;
  Workspace space_;
};

}  // namespace quire::engine
