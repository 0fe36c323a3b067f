// SPDX-License-Identifier: Apache-2.0
#include "engine/workspace.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/aligned_memory.h"
#include "tests/engine/golden_case.h"

namespace quire::test {
namespace {

using engine::ArenaPlan;
using engine::Capacity;
using engine::KernelSet;
using engine::WorkspacePlan;

KernelSet best_kernels() { return engine::select_kernels(must(choose_levels("")).levels); }

WorkspacePlan plan_for(const GoldenCase& golden, Index tokens, Index sequences = 1) {
  return must(WorkspacePlan::make(golden.spec(), best_kernels(), 1, {tokens, sequences}));
}

TEST(PaddedStride, IsAnOddNumberOfWholeLines) {
  for (Index cols : {1, 15, 16, 17, 32, 33, 384, 768, 1024, 1152, 4096}) {
    const Index stride = engine::padded_stride(cols);
    EXPECT_GE(stride, cols);
    EXPECT_EQ(stride % 32, 16) << cols;
    EXPECT_LT(stride, cols + 32) << cols;
  }
}

TEST(ArenaPlan, LaysRegionsOnLinesOneBehindTheOther) {
  ArenaPlan plan;
  EXPECT_EQ(plan.add("a", 3, 10), 0);
  EXPECT_EQ(plan.add("b", 1, 64), 64);
  EXPECT_EQ(plan.add("c", 1, 1), 128);
  EXPECT_EQ(plan.bytes(), 192);
  EXPECT_TRUE(plan.status().ok());
}

TEST(ArenaPlan, RefusesWhatCannotBeAddressed) {
  ArenaPlan product, sum;
  product.add("too wide", Index{1} << 40, Index{1} << 40);
  EXPECT_EQ(product.status().code(), StatusCode::out_of_memory);
  sum.add("half", 1, std::numeric_limits<Index>::max() / 2);
  sum.add("rest", 1, std::numeric_limits<Index>::max() / 2);
  sum.add("more", 1, 100);
  EXPECT_EQ(sum.status().code(), StatusCode::out_of_memory);
}

TEST(WorkspacePlan, RegionsDoNotOverlapAndFillTheArena) {
  const GoldenCase golden("gelu_f32");
  const WorkspacePlan plan = plan_for(golden, 100, 7);
  Index end = 0;
  for (const auto& region : plan.arena().regions()) {
    EXPECT_EQ(region.offset % kAlignment, 0) << region.name;
    EXPECT_GE(region.offset, end) << region.name;
    EXPECT_GT(region.bytes, 0) << region.name;
    end = region.offset + region.bytes;
  }
  EXPECT_EQ(round_up(end, kAlignment), plan.arena().bytes());
}

TEST(WorkspacePlan, IsLinearInTokens) {
  const GoldenCase golden("gelu_f32");
  const Index block = engine::kMlpBlockTokens;
  const Index one = plan_for(golden, block).arena().bytes();
  const Index two = plan_for(golden, 2 * block).arena().bytes();
  const Index eight = plan_for(golden, 8 * block).arena().bytes();
  const Index slack = 64 * kAlignment;  // rounding of the regions
  EXPECT_NEAR(static_cast<double>(eight - two), 6.0 * static_cast<double>(two - one), static_cast<double>(slack));
  EXPECT_GT(two, one);
}

TEST(WorkspacePlan, RefusesImpossibleCapacities) {
  const GoldenCase golden("silu_odd");
  for (const Capacity capacity : {Capacity{0, 1}, Capacity{-1, 1}, Capacity{4, 0}, Capacity{4, 5},
                                  Capacity{Index{1} << 31, 1}, Capacity{std::numeric_limits<Index>::max(), 1}}) {
    const auto plan = WorkspacePlan::make(golden.spec(), best_kernels(), 1, capacity);
    EXPECT_EQ(plan.status().code(), StatusCode::invalid_argument) << capacity.tokens << " " << capacity.sequences;
  }
}

TEST(Session, HoldsExactlyWhatWasPlanned) {
  const GoldenCase golden("tanh_bf16_prefixed");
  const auto model = golden.model(Level::portable);
  const auto pool = must(ThreadPool::create(1));
  for (Index tokens : {1, 33, 600, 5000}) {
    const AllocationStats before = allocation_stats();
    const auto session = must(engine::Session::create(model, *pool, {tokens, 1}));
    const AllocationStats after = allocation_stats();
    const auto plan = must(WorkspacePlan::make(golden.spec(), model->kernels(), 1, {tokens, 1}));
    EXPECT_EQ(after.bytes_held - before.bytes_held, plan.arena().bytes());
    EXPECT_EQ(session.workspace_bytes(), plan.arena().bytes());
    EXPECT_EQ(after.allocations - before.allocations, 1u);
  }
}

TEST(Model, HoldsExactlyTheWeightsPlanned) {
  for (const char* name : kGoldenCases) {
    const GoldenCase golden(name);
    const AllocationStats before = allocation_stats();
    const auto model = golden.model(Level::portable);
    const AllocationStats after = allocation_stats();
    const auto plan = engine::plan_weights(golden.spec(), model->kernels(), *golden.weights());
    EXPECT_EQ(after.bytes_held - before.bytes_held, plan.packed_bytes) << name;
    EXPECT_EQ(model->packed_bytes(), plan.packed_bytes) << name;
    EXPECT_EQ(model->mapped_bytes(), plan.mapped_bytes) << name;
  }
}

// fp32 tables are used where they lie; 16-bit ones have to be widened into memory of our own.
TEST(Model, MapsTablesOnlyWhereTheyAreFp32) {
  const GoldenCase f32("gelu_f32"), bf16("tanh_bf16_prefixed");
  const KernelSet kernels = best_kernels();
  const Index rows = f32.spec().embedding.vocabulary + f32.spec().embedding.positions + f32.spec().embedding.types;
  EXPECT_EQ(engine::plan_weights(f32.spec(), kernels, *f32.weights()).mapped_bytes, rows * f32.spec().hidden * 4);
  EXPECT_EQ(engine::plan_weights(bf16.spec(), kernels, *bf16.weights()).mapped_bytes, 0);
}

}  // namespace
}  // namespace quire::test
