// SPDX-License-Identifier: Apache-2.0
//
// The one forward pass: runs any spec over a batch of packed tokens.
#pragma once

#include "base/thread_pool.h"
#include "engine/model.h"
#include "engine/pooling.h"
#include "engine/token_batch.h"
#include "engine/workspace.h"

namespace quire::engine {

struct PoolingRequest {
  PoolingKind kind = PoolingKind::mean;
  bool normalize = false;
};

// Leaves the last layer's rows in space.hidden and one vector per sequence in space.pooled. The batch has been checked
// and fits the space. Allocates nothing.
void forward(const Model& model, const TokenBatch& batch, const Workspace& space, const PoolingRequest& request,
             ThreadPool& pool);

}  // namespace quire::engine
