// SPDX-License-Identifier: Apache-2.0
//
// A batch is the concatenation of its sequences plus their start offsets. No padding exists.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "base/types.h"
#include "engine/spec.h"

namespace quire::engine {

struct TokenBatch {
  std::span<const std::int32_t> ids;
  std::span<const std::int32_t> types;       // one per id
  std::span<const std::int32_t> cu_seqlens;  // sequence s holds tokens [cu_seqlens[s], cu_seqlens[s + 1])

  Index tokens() const { return static_cast<Index>(ids.size()); }
  Index sequences() const { return static_cast<Index>(cu_seqlens.size()) - 1; }
};

// All that the kernels take for granted: at least one sequence, none empty, none longer than the positions reach, the
// offsets rise from 0 to the number of tokens, ids and types inside their tables. Errors name index and value.
Status check_batch(const TokenBatch& batch, const ModelSpec& spec);

// The same for one sequence's ids, so that a bad one can be refused before it joins a batch.
Status check_ids(std::span<const std::int32_t> ids, Index vocabulary);

}  // namespace quire::engine
