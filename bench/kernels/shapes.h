// SPDX-License-Identifier: Apache-2.0
//
// The shapes that kernels meet in models people run, and which model each comes from.
#pragma once

#include "base/types.h"
#include "kernels/activation.h"

namespace quire::bench {

// all-MiniLM-L6-v2, bge-small: hidden 384, feed-forward 1536, 12 heads of 32.
// bge-base, all-mpnet-base:    hidden 768, feed-forward 3072, 12 heads of 64.
struct Encoder {
  const char* name;
  Index hidden, feed_forward, heads;
};
inline constexpr Encoder kEncoders[] = {{"MiniLM", 384, 1536, 12}, {"bge-base", 768, 3072, 12}};

// Tokens of a batch: a query, a paragraph, a full window of 512.
inline constexpr Index kTokens[] = {16, 128, 512};

// The four products of an encoder layer.
struct GemmShape {
  const char* what;
  Index n, k;
  kernels::Activation activation;
  bool residual;
};
struct LayerShapes {
  GemmShape gemm[4];
};
constexpr LayerShapes shapes_of(const Encoder& e) {
  using kernels::Activation;
  return {{{"qkv", 3 * e.hidden, e.hidden, Activation::none, false},
           {"attention out", e.hidden, e.hidden, Activation::none, true},
           {"feed-forward up", e.feed_forward, e.hidden, Activation::gelu_erf, false},
           {"feed-forward down", e.hidden, e.feed_forward, Activation::none, true}}};
}

// Attention meets sequences, not tokens.
struct AttentionShape {
  Index sequences, length;
};
inline constexpr AttentionShape kSequences[] = {{1, 16}, {8, 16}, {1, 128}, {4, 128}, {1, 512}, {1, 2048}};

}  // namespace quire::bench
