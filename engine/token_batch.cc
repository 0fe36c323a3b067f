// SPDX-License-Identifier: Apache-2.0
#include "engine/token_batch.h"

#include <string>

namespace quire::engine {
namespace {

Status check_range(std::span<const std::int32_t> values, Index limit, const char* what, const char* table) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] >= limit)
      return invalid_argument(std::string(what) + " at index " + std::to_string(i) + " is " +
                              std::to_string(values[i]) + ", outside the model's " + table + " of " +
                              std::to_string(limit));
  return {};
}

Status check_offsets(const TokenBatch& batch, Index longest) {
  const auto& offsets = batch.cu_seqlens;
  if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != batch.tokens())
    return invalid_argument("sequence offsets must rise from 0 to the number of tokens, " +
                            std::to_string(batch.tokens()));
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const Index length = Index{offsets[s + 1]} - offsets[s];
    if (length < 1) return invalid_argument("sequence " + std::to_string(s) + " holds no token");
    if (length > longest)
      return too_long("sequence " + std::to_string(s) + " has " + std::to_string(length) +
                      " tokens, the model's positions reach " + std::to_string(longest));
  }
  return {};
}

}  // namespace

Status check_ids(std::span<const std::int32_t> ids, Index vocabulary) {
  return check_range(ids, vocabulary, "token id", "vocabulary");
}

Status check_batch(const TokenBatch& batch, const ModelSpec& spec) {
  QUIRE_RETURN_IF_ERROR(check_offsets(batch, spec.max_tokens));
  QUIRE_RETURN_IF_ERROR(check_ids(batch.ids, spec.embedding.vocabulary));
  if (spec.embedding.type.empty()) return {};
  if (batch.types.size() != batch.ids.size())
    return invalid_argument(std::to_string(batch.types.size()) + " token types for " +
                            std::to_string(batch.ids.size()) + " tokens");
  return check_range(batch.types, spec.embedding.types, "token type", "type table");
}

}  // namespace quire::engine
