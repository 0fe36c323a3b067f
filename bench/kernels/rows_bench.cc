// SPDX-License-Identifier: Apache-2.0
//
// Kernels that pass over rows once; memory, not arithmetic, is their measure. One thread: callers cut rows into chunks.
#include <cmath>
#include <vector>

#include "bench/kernels/kernels_bench.h"
#include "bench/kernels/shapes.h"
#include "kernels/embed/embed.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/pool/pool.h"
#include "tests/reference/reference.h"
#include "tests/support/random.h"
#include "tests/support/tolerance.h"

namespace quire::bench {
namespace {

constexpr Index kWords = 30522, kPositions = 512, kTypes = 2;  // BERT's
constexpr float kEps = 1e-12f;

// Of got[i] against want[i], each with its own bound.
template <class Bound>
double worst_share(const float* got, const std::vector<double>& want, Bound bound) {
  double worst = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double share = std::abs(got[i] - want[i]) / bound(i);
    if (!(share <= worst)) worst = share;
  }
  return worst;
}

// Bytes of `rows` rows of floats that are read or written `times` times.
double row_bytes(Index rows, Index cols, int times) {
  return static_cast<double>(rows * cols * times) * static_cast<double>(sizeof(float));
}

struct Norm {
  Norm(Index rows_, Index cols_)
      : rows(rows_),
        cols(cols_),
        x(rows * cols, 1),
        residual(rows * cols, 2),
        y(rows * cols),
        gamma(cols),
        beta(cols) {}
  Index rows, cols;
  Floats x, residual, y, gamma, beta;
};

Work norm_work(kernels::LayerNormFn kernel, Index rows, Index cols) {
  const auto p = std::make_shared<Norm>(rows, cols);
  const kernels::LayerNormArgs args{.x = p->x.data(),
                                    .x_stride = cols,
                                    .residual = p->residual.data(),
                                    .residual_stride = cols,
                                    .gamma = p->gamma.data(),
                                    .beta = p->beta.data(),
                                    .eps = kEps,
                                    .y = p->y.data(),
                                    .y_stride = cols,
                                    .rows = rows,
                                    .cols = cols};
  const auto error = [p] {
    const auto view = [&](const Floats& data) { return reference::View{data.data(), p->rows, p->cols, p->cols}; };
    const auto want = reference::layer_norm(view(p->x), view(p->residual), p->gamma.data(), p->beta.data(), kEps);
    return worst_share(p->y.data(), want.y.values,
                       [&](std::size_t i) { return test::kLayerNormUnits * test::kUnit * want.magnitude.values[i]; });
  };
  return {.run = [p, args, kernel] { kernel(args); }, .error = error, .bytes = row_bytes(rows, cols, 3)};
}

struct Embedding {
  Embedding(Index rows_, Index cols_)
      : rows(rows_),
        cols(cols_),
        word(kWords * cols, 1),
        position(kPositions * cols, 2),
        type(kTypes * cols, 3),
        out(rows * cols) {
    test::Random random(4);
    for (Index t = 0; t < rows; ++t) {
      ids.push_back(static_cast<std::int32_t>(random.below(kWords)));
      positions.push_back(static_cast<std::int32_t>(t));
      types.push_back(0);
    }
  }
  Index rows, cols;
  Floats word, position, type, out;
  std::vector<std::int32_t> ids, positions, types;
};

Work embed_work(kernels::EmbedFn kernel, Index rows, Index cols) {
  const auto p = std::make_shared<Embedding>(rows, cols);
  const kernels::EmbedArgs args{.word = p->word.data(),
                                .position = p->position.data(),
                                .type = p->type.data(),
                                .ids = p->ids.data(),
                                .positions = p->positions.data(),
                                .types = p->types.data(),
                                .out = p->out.data(),
                                .out_stride = cols,
                                .rows = rows,
                                .cols = cols};
  const auto error = [p] {
    const auto view = [&](const Floats& table, Index entries) {
      return reference::View{table.data(), entries, p->cols, p->cols};
    };
    const auto want = reference::embed(view(p->word, kWords), view(p->position, kPositions), view(p->type, kTypes),
                                       p->ids, p->positions, p->types);
    return worst_share(p->out.data(), want.values, [](std::size_t) { return test::sum_bound(3, 3); });
  };
  return {.run = [p, args, kernel] { kernel(args); }, .error = error, .bytes = row_bytes(rows, cols, 4)};
}

struct Pooling {
  Pooling(Index rows_, Index cols_) : rows(rows_), cols(cols_), x(rows * cols), out(cols) {}
  Index rows, cols;
  Floats x, out;
};

// Mean and normalisation, as sentence encoders end.
Work pool_work(const kernels::Pool& kernel, Index rows, Index cols) {
  const auto p = std::make_shared<Pooling>(rows, cols);
  const kernels::PoolArgs args{
      .x = p->x.data(), .x_stride = cols, .begin = 0, .end = rows, .cols = cols, .out = p->out.data()};
  const auto run = [p, args, kernel] {
    kernel.mean(args);
    kernel.l2_normalize(args.out, args.cols);
  };
  const auto error = [p] {
    const auto mean = reference::pool_mean({p->x.data(), p->rows, p->cols, p->cols}, 0, p->rows);
    double squares = 0;
    for (double value : mean.values) squares += value * value;
    std::vector<double> want;
    for (double value : mean.values) want.push_back(value / std::sqrt(squares));
    const double mean_bound = test::sum_bound(p->rows, 1) / std::sqrt(squares);
    return worst_share(p->out.data(), want,
                       [&](std::size_t i) { return mean_bound + test::l2_bound(p->cols, want[i]); });
  };
  return {.run = run, .error = error, .bytes = row_bytes(rows, cols, 1)};
}

template <class Fns, class MakeWork>
void add_rows(std::string_view name, std::span<const kernels::KernelEntry<Fns>> list, MakeWork make) {
  for_entries(list, [&](Level level, const Fns& kernel) {
    for (const Encoder& encoder : kEncoders)
      for (Index rows : kTokens)
        add(name, level, shape_name({{'m', rows}, {'n', encoder.hidden}}), encoder.name,
            [=] { return make(kernel, rows, encoder.hidden); });
  });
}

}  // namespace

void add_layer_norm() { add_rows("layer_norm", kernels::layer_norm_kernels(), norm_work); }
void add_embed() { add_rows("embed", kernels::embed_kernels(), embed_work); }
void add_pool() { add_rows("pool", kernels::pool_kernels(), pool_work); }

}  // namespace quire::bench
