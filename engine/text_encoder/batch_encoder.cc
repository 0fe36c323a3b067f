// SPDX-License-Identifier: Apache-2.0
#include "engine/text_encoder/batch_encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace quire::engine {
namespace {

// Inputs that are tokenised, sorted by length and handed back together: enough for batches of nearly equal lengths,
// little enough that results need not wait for long and memory stays bounded.
constexpr std::size_t kWindow = 1024;

Status check_finite(std::span<const float> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return non_finite("component " + std::to_string(i) + " of the embedding is NaN or infinite");
  return {};
}

}  // namespace

std::vector<BatchRange> cut_batches(std::span<const Index> lengths, Index budget, Index sequences) {
  std::vector<BatchRange> batches;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool fits = !batches.empty() && batches.back().tokens + lengths[i] <= budget &&
                      static_cast<Index>(i - batches.back().begin) < sequences;
    if (!fits) batches.push_back({i, i, 0});
    batches.back().end = i + 1;
    batches.back().tokens += lengths[i];
  }
  return batches;
}

Status BatchEncoder::reserve(const Capacity& capacity) {
  QUIRE_RETURN_IF_ERROR(check_capacity(capacity));
  Capacity wanted = capacity;
  if (session_) {
    const Capacity& have = session_->capacity();
    if (have.tokens >= capacity.tokens && have.sequences >= capacity.sequences) return {};
    wanted = {std::max(have.tokens, capacity.tokens), std::max(have.sequences, capacity.sequences)};
  }
  session_.reset();  // first, so that the old and the new one are never held together
  QUIRE_ASSIGN_OR_RETURN(session_, Session::create(model_, *pool_, wanted));
  batch_ids_.reserve(static_cast<std::size_t>(wanted.tokens));
  batch_types_.reserve(static_cast<std::size_t>(wanted.tokens));
  batch_offsets_.reserve(static_cast<std::size_t>(wanted.sequences) + 1);
  return {};
}

Status BatchEncoder::encode(const Folder& folder, const EncodeRequest& request, std::span<const Input> inputs,
                            const OnItem& on_item) {
  for (std::size_t first = 0; first < inputs.size(); first += kWindow) {
    const auto window = inputs.subspan(first, std::min(kWindow, inputs.size() - first));
    encode_window(folder, request, window);
    for (std::size_t i = 0; i < window.size(); ++i) on_item(first + i, std::move(items_[i].result));
  }
  return {};
}

void BatchEncoder::encode_window(const Folder& folder, const EncodeRequest& request, std::span<const Input> inputs) {
  items_.clear();
  items_.resize(inputs.size());
  ids_.clear();
  types_.clear();
  for (std::size_t i = 0; i < inputs.size(); ++i) tokenize_item(folder, request, inputs[i], items_[i]);

  const std::vector<std::size_t> order = longest_first();
  std::vector<Index> lengths;
  for (std::size_t i : order) lengths.push_back(items_[i].result.tokens);
  const std::vector<BatchRange> batches = cut_batches(lengths, TextEncoder::kBatchTokens, TextEncoder::kBatchSequences);

  Capacity capacity;
  for (const BatchRange& batch : batches)
    capacity = {std::max(capacity.tokens, batch.tokens),
                std::max(capacity.sequences, static_cast<Index>(batch.end - batch.begin))};
  const Status ready = batches.empty() ? Status{} : reserve(capacity);
  for (const BatchRange& batch : batches) {
    const auto members = std::span(order).subspan(batch.begin, batch.end - batch.begin);
    if (ready.ok())
      run_batch(members, request.pooling);
    else
      for (std::size_t i : members) items_[i].result.status = ready;
  }
}

void BatchEncoder::tokenize_item(const Folder& folder, const EncodeRequest& request, const Input& input, Item& item) {
  Embedding& result = item.result;
  result.status = tokens_of(folder, request, input, encoding_, result.truncated);
  if (result.status.ok()) result.status = check_ids(encoding_.ids, folder.spec.embedding.vocabulary);
  if (result.status.ok() && encoding_.ids.empty())
    result.status = invalid_argument("the text has no token at all, and the tokenizer adds none");
  if (!result.status.ok()) return;
  item.first_token = ids_.size();
  result.tokens = static_cast<Index>(encoding_.ids.size());
  ids_.insert(ids_.end(), encoding_.ids.begin(), encoding_.ids.end());
  types_.insert(types_.end(), encoding_.type_ids.begin(), encoding_.type_ids.end());
}

std::vector<std::size_t> BatchEncoder::longest_first() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].result.status.ok()) order.push_back(i);
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return items_[a].result.tokens > items_[b].result.tokens; });
  return order;
}

void BatchEncoder::run_batch(std::span<const std::size_t> members, const PoolingRequest& pooling) {
  const Status status = run_session(members, pooling);
  for (std::size_t s = 0; s < members.size(); ++s) {
    Item& item = items_[members[s]];
    item.result.status = status;
    if (status.ok()) collect(static_cast<Index>(s), item);
  }
}

Status BatchEncoder::run_session(std::span<const std::size_t> members, const PoolingRequest& pooling) {
  batch_ids_.clear();
  batch_types_.clear();
  batch_offsets_.assign(1, 0);
  for (std::size_t i : members) {
    const auto first = static_cast<std::ptrdiff_t>(items_[i].first_token);
    const auto end = first + static_cast<std::ptrdiff_t>(items_[i].result.tokens);
    batch_ids_.insert(batch_ids_.end(), ids_.begin() + first, ids_.begin() + end);
    batch_types_.insert(batch_types_.end(), types_.begin() + first, types_.begin() + end);
    batch_offsets_.push_back(static_cast<std::int32_t>(batch_ids_.size()));
  }
  return session_->run({batch_ids_, batch_types_, batch_offsets_}, pooling);
}

void BatchEncoder::collect(Index sequence, Item& item) const {
  const std::span<const float> vector = session_->vector(sequence);
  item.result.status = check_finite(vector);
  if (item.result.status.ok()) item.result.values.assign(vector.begin(), vector.end());
}

}  // namespace quire::engine
