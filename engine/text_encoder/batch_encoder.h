// SPDX-License-Identifier: Apache-2.0
//
// Many texts, few forward passes: texts of similar length share a pass, results come back in the order of the inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "engine/model.h"
#include "engine/session.h"
#include "engine/text_encoder/folder.h"

namespace quire::engine {

// Positions [begin, end) of a list of lengths that share a pass.
struct BatchRange {
  std::size_t begin = 0, end = 0;
  Index tokens = 0;
};

// Cuts lengths, in their order, into batches of at most `budget` tokens and `sequences` sequences; a length above the
// budget is a batch of its own.
std::vector<BatchRange> cut_batches(std::span<const Index> lengths, Index budget, Index sequences);

class BatchEncoder {
 public:
  BatchEncoder(std::shared_ptr<const Model> model, ThreadPool& pool) : model_(std::move(model)), pool_(&pool) {}

  using OnItem = std::function<void(std::size_t, Embedding&&)>;
  Status encode(const Folder& folder, const EncodeRequest& request, std::span<const Input> inputs,
                const OnItem& on_item);

  // Makes room for passes of that size; keeps what there is where it is enough.
  Status reserve(const Capacity& capacity);
  Index workspace_bytes() const { return session_ ? session_->workspace_bytes() : 0; }

 private:
  struct Item {
    std::size_t first_token = 0;
    Embedding result;
  };
  void encode_window(const Folder& folder, const EncodeRequest& request, std::span<const Input> inputs);
  void tokenize_item(const Folder& folder, const EncodeRequest& request, const Input& input, Item& item);
  std::vector<std::size_t> longest_first() const;
  void run_batch(std::span<const std::size_t> members, const PoolingRequest& pooling);
  Status run_session(std::span<const std::size_t> members, const PoolingRequest& pooling);
  void collect(Index sequence, Item& item) const;

  std::shared_ptr<const Model> model_;
  ThreadPool* pool_;
  std::optional<Session> session_;

  // Of the current window and batch; their capacity is kept.
  tokenize::Encoding encoding_;
  std::vector<Item> items_;
  std::vector<std::int32_t> ids_, types_;
  std::vector<std::int32_t> batch_ids_, batch_types_, batch_offsets_;
};

}  // namespace quire::engine
