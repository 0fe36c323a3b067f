// SPDX-License-Identifier: Apache-2.0
//
// BERT (Devlin et al. 2018) as Hugging Face stores it: post-norm layers, learned absolute positions from 0, token
// types.
#pragma once

#include <functional>
#include <string_view>

#include "base/status.h"
#include "engine/spec.h"
#include "loader/hf_config.h"

namespace quire::engine {

// Architectures of transformers that hold this trunk; whatever head they carry is not used for embedding.
inline constexpr std::string_view kBertArchitectures[] = {
    "BertModel",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForMultipleChoice",
    "BertForTokenClassification",
    "BertForQuestionAnswering",
};

// `exists` tells which tensors the checkpoint holds: the optional prefix "bert." and the older LayerNorm spelling
// (.gamma, .beta) are found by looking.
Result<ModelSpec> bert_spec(const loader::BertConfig& config, const std::function<bool(std::string_view)>& exists);

}  // namespace quire::engine
