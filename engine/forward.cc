// SPDX-License-Identifier: Apache-2.0
#include "engine/forward.h"

#include <algorithm>
#include <numeric>

namespace quire::engine {
namespace {

// Rows of one chunk of a row-wise stage: a few hundred KiB of traffic at most, which stays in L2 between the two halves
// of a fused stage, and enough chunks to even out a core that is slowed down.
constexpr Index kRowChunk = 32;

template <class Body>  // body(first row, rows)
void for_row_chunks(Index rows, ThreadPool& pool, const Body& body) {
  pool.parallel_for((rows + kRowChunk - 1) / kRowChunk, [&](Index chunk, int) {
    const Index first = chunk * kRowChunk;
    body(first, std::min(kRowChunk, rows - first));
  });
}

// One pass's fixed surroundings.
struct Pass {
  const Model& model;
  const TokenBatch& batch;
  const Workspace& space;
  ThreadPool& pool;

  void normalize_rows(const BoundNorm& norm, Index first, Index rows) const {
    const MatrixView<float>& h = space.hidden;
    kernels::LayerNormArgs args;
    args.x = args.y = h.row(first);
    args.x_stride = args.y_stride = h.stride;
    args.gamma = norm.gamma;
    args.beta = norm.beta;
    args.eps = norm.eps;
    args.rows = rows;
    args.cols = h.cols;
    model.kernels().layer_norm->fns(args);
  }

  void normalize(const BoundNorm& norm) const {
    for_row_chunks(batch.tokens(), pool, [&](Index first, Index rows) { normalize_rows(norm, first, rows); });
  }

  // out = activation(in * W^T + bias) (+ out, where `accumulate` says that out holds the residual)
  void linear(const PackedLinear& weights, MatrixView<float> in, MatrixView<float> out, kernels::Activation activation,
              bool accumulate) const {
    kernels::GemmF32Args args;
    args.a = in.data;
    args.lda = in.stride;
    args.packed_w = weights.weights;
    args.c = out.data;
    args.ldc = out.stride;
    args.m = in.rows;
    args.n = weights.out;
    args.k = weights.in;
    args.bias = weights.bias;
    args.residual = accumulate ? out.data : nullptr;
    args.ldr = accumulate ? out.stride : 0;
    args.activation = activation;
    kernels::gemm(model.kernels().gemm->fns, args, pool);
  }
};

MatrixView<float> rows_of(const MatrixView<float>& view, Index first, Index rows) {
  return {view.row(first), rows, view.cols, view.stride};
}

void number_positions(const TokenBatch& batch, std::int32_t* positions) {
  for (std::size_t s = 0; s + 1 < batch.cu_seqlens.size(); ++s)
    std::iota(positions + batch.cu_seqlens[s], positions + batch.cu_seqlens[s + 1], 0);
}

void embed(const Pass& pass) {
  const BoundEmbedding& tables = pass.model.embedding();
  number_positions(pass.batch, pass.space.positions);
  for_row_chunks(pass.batch.tokens(), pass.pool, [&](Index first, Index rows) {
    const MatrixView<float> h = rows_of(pass.space.hidden, first, rows);
    kernels::EmbedArgs args;
    args.word = tables.word;
    args.position = tables.position;
    args.type = tables.type;
    args.ids = pass.batch.ids.data() + first;
    args.positions = pass.space.positions + first;
    args.types = tables.type != nullptr ? pass.batch.types.data() + first : nullptr;
    args.out = h.data;
    args.out_stride = h.stride;
    args.rows = rows;
    args.cols = h.cols;
    pass.model.kernels().embed->fns(args);
    pass.normalize_rows(tables.norm, first, rows);
  });
}

void attend(const Pass& pass, const BoundLayer& layer) {
  const kernels::AttentionShape& shape = layer.attention;
  const MatrixView<float>& qkv = pass.space.qkv;
  kernels::AttentionF32Args args;
  args.shape = shape;
  args.q = qkv.data;
  args.k = args.q + shape.heads * shape.head_dim;
  args.v = args.k + shape.kv_heads * shape.head_dim;
  args.q_stride = args.k_stride = args.v_stride = qkv.stride;
  args.out = pass.space.context.data;
  args.out_stride = pass.space.context.stride;
  args.cu_seqlens = pass.batch.cu_seqlens;
  args.workspace = pass.space.attention;
  kernels::attention(pass.model.kernels().attention->fns, args, pass.pool);
}

// h = norm(h + out(attention(qkv(h))))
void run_attention(const Pass& pass, const BoundLayer& layer) {
  const Index tokens = pass.batch.tokens();
  const MatrixView<float> hidden = rows_of(pass.space.hidden, 0, tokens);
  pass.linear(layer.qkv, hidden, pass.space.qkv, kernels::Activation::none, false);
  attend(pass, layer);
  pass.linear(layer.out, rows_of(pass.space.context, 0, tokens), hidden, kernels::Activation::none, true);
  pass.normalize(layer.attention_norm);
}

// h = norm(h + down(activation(up(h)))), a block of tokens at a time
void run_mlp(const Pass& pass, const BoundLayer& layer) {
  const Index tokens = pass.batch.tokens();
  for (Index first = 0; first < tokens; first += kMlpBlockTokens) {
    const Index rows = std::min(kMlpBlockTokens, tokens - first);
    const MatrixView<float> hidden = rows_of(pass.space.hidden, first, rows);
    pass.linear(layer.up, hidden, pass.space.mlp, layer.activation, false);
    pass.linear(layer.down, rows_of(pass.space.mlp, 0, rows), hidden, kernels::Activation::none, true);
  }
  pass.normalize(layer.mlp_norm);
}

void pool_hidden(const Pass& pass, PoolingKind kind, const MatrixView<float>& out) {
  pool_sequences(pass.model.kernels().pool->fns, kind, pass.space.hidden, pass.batch.cu_seqlens, out, pass.pool);
}

}  // namespace

void forward(const Model& model, const TokenBatch& batch, const Workspace& space, const PoolingRequest& request,
             ThreadPool& pool) {
  const Pass pass{model, batch, space, pool};
  const bool first_last = request.kind == PoolingKind::first_last;
  embed(pass);
  bool first = true;
  for (const BoundLayer& layer : model.layers()) {
    run_attention(pass, layer);
    run_mlp(pass, layer);
    if (first && first_last) pool_hidden(pass, request.kind, space.first_pooled);
    first = false;
  }
  pool_hidden(pass, request.kind, space.pooled);
  if (first_last) average_rows(space.first_pooled, batch.sequences(), space.pooled);
  if (!request.normalize) return;
  for (Index s = 0; s < batch.sequences(); ++s)
    model.kernels().pool->fns.l2_normalize(space.pooled.row(s), space.pooled.cols);
}

}  // namespace quire::engine
