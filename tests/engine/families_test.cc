// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "engine/families/bert.h"
#include "engine/tensor_check.h"
#include "tests/engine/golden_case.h"

namespace quire::test {
namespace {

using engine::ModelSpec;
using kernels::Activation;

loader::BertConfig small_config() {
  loader::BertConfig config;
  config.vocab_size = 11;
  config.hidden_size = 12;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 3;
  config.intermediate_size = 20;
  config.max_position_embeddings = 7;
  return config;
}

// A checkpoint that has every tensor whose name does not contain one of the two.
auto names_without(std::string_view first, std::string_view second) {
  return [=](std::string_view name) { return !name.starts_with(first) && name.find(second) == std::string_view::npos; };
}

TEST(BertSpec, HasTheShapesOfTheConfig) {
  const ModelSpec spec = must(engine::bert_spec(small_config(), names_without("bert.", ".gamma")));
  EXPECT_EQ(spec.family, "bert");
  EXPECT_EQ(spec.hidden, 12);
  EXPECT_EQ(spec.max_tokens, 7);
  ASSERT_EQ(spec.layers.size(), 2u);
  const engine::LayerSpec& layer = spec.layers[1];
  EXPECT_EQ(layer.attention.heads, 3);
  EXPECT_EQ(layer.attention.kv_heads, 3);
  EXPECT_EQ(layer.attention.head_dim, 4);
  EXPECT_FLOAT_EQ(layer.attention.scale, 0.5f);
  EXPECT_EQ(layer.attention.qkv.total_out(), 36);
  EXPECT_EQ(layer.mlp.up.total_out(), 20);
  EXPECT_EQ(layer.mlp.down.in, 20);
  EXPECT_EQ(layer.attention.qkv.weights[2], "encoder.layer.1.attention.self.value.weight");
  EXPECT_EQ(layer.attention_norm.weight, "encoder.layer.1.attention.output.LayerNorm.weight");
  EXPECT_EQ(engine::tensors_needed(spec).size(), 5u + 2u * 16u);
}

TEST(BertSpec, FindsThePrefix) {
  const ModelSpec spec = must(engine::bert_spec(small_config(), names_without("embeddings.", ".gamma")));
  for (const auto& tensor : engine::tensors_needed(spec)) EXPECT_TRUE(tensor.name.starts_with("bert.")) << tensor.name;
}

TEST(BertSpec, FindsTheOlderNormNames) {
  const ModelSpec spec = must(engine::bert_spec(small_config(), names_without("bert.", "LayerNorm.weight")));
  EXPECT_EQ(spec.embedding.norm.weight, "embeddings.LayerNorm.gamma");
  EXPECT_EQ(spec.layers[0].mlp_norm.bias, "encoder.layer.0.output.LayerNorm.beta");
}

TEST(BertSpec, MapsActivationsByName) {
  const std::pair<const char*, Activation> cases[] = {
      {"gelu", Activation::gelu_erf},       {"gelu_new", Activation::gelu_tanh},
      {"gelu_fast", Activation::gelu_tanh}, {"gelu_pytorch_tanh", Activation::gelu_tanh},
      {"relu", Activation::relu},           {"silu", Activation::silu},
      {"swish", Activation::silu}};
  for (const auto& [name, activation] : cases) {
    loader::BertConfig config = small_config();
    config.hidden_act = name;
    EXPECT_EQ(must(engine::bert_spec(config, names_without("bert.", ".gamma"))).layers[0].mlp.activation, activation)
        << name;
  }
}

TEST(BertSpec, RefusesOtherActivationsByName) {
  loader::BertConfig config = small_config();
  config.hidden_act = "quick_gelu";
  const Status status = engine::bert_spec(config, names_without("bert.", ".gamma")).status();
  EXPECT_EQ(status.code(), StatusCode::unsupported);
  EXPECT_NE(status.message().find("quick_gelu"), std::string::npos);
  EXPECT_NE(status.message().find("gelu_pytorch_tanh"), std::string::npos);
}

// Two thousand million layers in a config must not become two thousand million specs.
TEST(BertSpec, StopsAtTheFirstLayerThatIsNotThere) {
  loader::BertConfig config = small_config();
  config.num_hidden_layers = Index{1} << 31;
  const ModelSpec spec = must(engine::bert_spec(config, names_without("bert.", "layer.3.")));
  EXPECT_EQ(spec.layers.size(), 4u);
}

TEST(KernelSet, NamesSayTheLevel) {
  for (Level level : runnable_levels()) {
    const engine::KernelSet set = engine::select_kernels(must(choose_levels(to_string(level))).levels);
    EXPECT_EQ(set.gemm->name, "gemm_f32_" + std::string(to_string(level)));
    EXPECT_EQ(set.level(), level);
    EXPECT_EQ(set.names().size(), 5u);
  }
}

// For CPUs that are not here, too.
TEST(KernelSet, SelectionIsPure) {
  const LevelSet zen3 = LevelSet().with(Level::avx2);
  const LevelSet emerald_rapids = zen3.with(Level::avx512).with(Level::avx512vnni).with(Level::amx);
#if defined(__x86_64__)
  EXPECT_EQ(engine::select_kernels(zen3).gemm->name, "gemm_f32_avx2");
  EXPECT_EQ(engine::select_kernels(emerald_rapids).gemm->name, "gemm_f32_avx512");
  EXPECT_EQ(engine::select_kernels(emerald_rapids.up_to(Level::avx2)).attention->level, Level::avx2);
#endif
  const engine::KernelSet portable = engine::select_kernels(LevelSet());
  EXPECT_EQ(portable.level(), Level::portable);
  for (std::string_view name : portable.names()) EXPECT_TRUE(name.ends_with("_portable")) << name;
}

}  // namespace
}  // namespace quire::test
