// SPDX-License-Identifier: Apache-2.0
#include "engine/session.h"

#include <string>
#include <utility>

namespace quire::engine {

Result<Session> Session::create(std::shared_ptr<const Model> model, ThreadPool& pool, const Capacity& capacity) {
  QUIRE_ASSIGN_OR_RETURN(WorkspacePlan plan,
                         WorkspacePlan::make(model->spec(), model->kernels(), pool.threads(), capacity));
  QUIRE_ASSIGN_OR_RETURN(AlignedBuffer arena, AlignedBuffer::allocate(plan.arena().bytes(), Pages::huge));
  return Session(std::move(model), pool, std::move(plan), std::move(arena));
}

Session::Session(std::shared_ptr<const Model> model, ThreadPool& pool, WorkspacePlan plan, AlignedBuffer arena)
    : model_(std::move(model)),
      pool_(&pool),
      plan_(std::move(plan)),
      arena_(std::move(arena)),
      space_(plan_.place(arena_.data())) {}

Status Session::run(const TokenBatch& batch, const PoolingRequest& request) {
  QUIRE_RETURN_IF_ERROR(check_batch(batch, model_->spec()));
  if (batch.tokens() > capacity().tokens || batch.sequences() > capacity().sequences)
    return invalid_argument("a batch of " + std::to_string(batch.tokens()) + " tokens in " +
                            std::to_string(batch.sequences()) + " sequences, the session is made for " +
                            std::to_string(capacity().tokens) + " in " + std::to_string(capacity().sequences));
  forward(*model_, batch, space_, request, *pool_);
  return {};
}

std::span<const float> Session::vector(Index sequence) const {
  return {space_.pooled.row(sequence), static_cast<std::size_t>(space_.pooled.cols)};
}

}  // namespace quire::engine
