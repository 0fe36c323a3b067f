// SPDX-License-Identifier: Apache-2.0
#include "loader/sentence_transformers.h"

#include <gtest/gtest.h>

#include "tests/support/is_error.h"
#include "tests/support/temp_dir.h"

namespace quire::loader {
namespace {

using test::is_error;
using test::TempDir;

constexpr const char* kModules = R"([
  {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
  {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
  {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}])";
constexpr const char* kPooling = R"({"word_embedding_dimension": 384, "pooling_mode_cls_token": false,
  "pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": false, "pooling_mode_mean_sqrt_len_tokens": false})";

// A folder as all-MiniLM-L6-v2's, to be changed file by file.
struct Folder {
  TempDir dir;
  Folder() {
    dir.write("modules.json", kModules);
    dir.write("1_Pooling/config.json", kPooling);
    dir.write("sentence_bert_config.json", R"({"max_seq_length": 256, "do_lower_case": false})");
    dir.write("config_sentence_transformers.json", R"({"__version__": {"sentence_transformers": "2.0.0"}})");
  }
  Folder& with(std::string_view file, std::string_view content) {
    dir.write(file, content);
    return *this;
  }
  Result<SentenceTransformersConfig> read() const { return read_sentence_transformers(dir.path()); }
  testing::AssertionResult refuses(StatusCode code, std::initializer_list<std::string_view> facts) const {
    return is_error(read().status(), code, facts);
  }
};

SentenceTransformersConfig read_with(std::string_view file, std::string_view content) {
  const auto config = Folder().with(file, content).read();
  EXPECT_TRUE(config.ok()) << config.status().message();
  return config.ok() ? *config : SentenceTransformersConfig{};
}

TEST(SentenceTransformers, ReadsAWholeFolder) {
  const Folder folder;
  const auto config = folder.read();
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_TRUE(config->present);
  EXPECT_EQ(config->pooling, PoolingMode::mean);
  EXPECT_EQ(config->pooling_dimension, 384);
  EXPECT_EQ(config->pooling_source, "1_Pooling/config.json");
  EXPECT_TRUE(config->normalize);
  EXPECT_EQ(config->transformer, folder.dir.path());
  EXPECT_EQ(config->max_sequence_length, 256);
  EXPECT_FALSE(config->lower_case);
  EXPECT_TRUE(config->prompts.empty());
  EXPECT_EQ(config->default_prompt, "");
}

TEST(SentenceTransformers, MayBeAbsent) {
  const TempDir dir;
  dir.write("sentence_bert_config.json", R"({"max_seq_length": 256})");
  const auto config = read_sentence_transformers(dir.path());
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_FALSE(config->present);
  EXPECT_FALSE(config->pooling.has_value());
  EXPECT_FALSE(config->normalize);
  EXPECT_EQ(config->transformer, dir.path());
  EXPECT_EQ(config->max_sequence_length, 0);
  EXPECT_TRUE(
      is_error(read_sentence_transformers(dir.path() / "x").status(), StatusCode::not_found, {"no such folder"}));
}

TEST(SentenceTransformers, MayLackTheLaterFiles) {
  const Folder folder;
  std::filesystem::remove(folder.dir.path() / "sentence_bert_config.json");
  std::filesystem::remove(folder.dir.path() / "config_sentence_transformers.json");
  const auto config = folder.read();
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(config->max_sequence_length, 0);
}

TEST(Modules, MatchTheLastComponentOfTheirType) {
  const auto config = read_with("modules.json", R"([
    {"path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"},
    {"path": "1_Pooling", "type": "sentence_transformers.sentence_transformer.modules.pooling.Pooling"}])");
  EXPECT_EQ(config.pooling, PoolingMode::mean);
  EXPECT_FALSE(config.normalize);
}

TEST(Modules, MayBeATransformerAlone) {
  const auto config = read_with("modules.json", R"([{"path": "", "type": "Transformer"}])");
  EXPECT_TRUE(config.present);
  EXPECT_FALSE(config.pooling.has_value());
  EXPECT_EQ(config.pooling_source, "");
}

TEST(Modules, MayKeepTheTransformerInAFolder) {
  Folder folder;
  folder
      .with("modules.json",
            R"([{"path": "0_Transformer", "type": "x.Transformer"}, {"path": "1_Pooling", "type": "x.Pooling"}])")
      .with("0_Transformer/sentence_roberta_config.json", R"({"max_seq_length": 77, "do_lower_case": true})");
  const auto config = folder.read();
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(config->transformer, folder.dir.path() / "0_Transformer");
  EXPECT_EQ(config->max_sequence_length, 77);
  EXPECT_TRUE(config->lower_case);
}

TEST(Modules, OfOtherKindsAreRefusedByName) {
  EXPECT_TRUE(
      Folder()
          .with("modules.json", R"([{"path": "", "type": "x.Transformer"}, {"path": "1_Pooling", "type": "x.Pooling"},
                        {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}])")
          .refuses(StatusCode::unsupported,
                   {"modules.json: module 2", "\"sentence_transformers.models.Dense\"", "\"2_Dense\""}));
}

TEST(Modules, InAnotherOrderAreRefused) {
  const auto modules = [](std::initializer_list<const char*> kinds) {
    std::string text;
    for (const char* kind : kinds) {
      text += text.empty() ? "[" : ",";
      text.append(R"({"path":"1_Pooling","type":"x.)").append(kind).append("\"}");
    }
    return text + "]";
  };
  for (const auto& kinds :
       {modules({"Pooling", "Transformer"}), modules({"Transformer", "Normalize"}),
        modules({"Transformer", "Pooling", "Pooling"}), modules({"Transformer", "Pooling", "Normalize", "Normalize"})})
    EXPECT_TRUE(Folder()
                    .with("modules.json", kinds)
                    .refuses(StatusCode::unsupported,
                             {"modules.json: modules \"", "supported is Transformer, [Pooling, [Normalize]]"}))
        << kinds;
  EXPECT_TRUE(Folder().with("modules.json", "[]").refuses(StatusCode::unsupported, {"modules.json: modules \"\""}));
}

TEST(Modules, StayInsideTheFolder) {
  for (const char* path : {"..", "../x", "a/../../x", "/etc", "a\\\\b", "a\\u0000b"})
    EXPECT_TRUE(
        Folder()
            .with("modules.json", R"([{"type":"x.Transformer","path":")" + std::string(path) + "\"}]")
            .refuses(StatusCode::corrupt_file, {"modules.json: module 0", "\"path\"", "leaves the model folder"}))
        << path;
}

TEST(Modules, AreWellFormed) {
  EXPECT_TRUE(Folder().with("modules.json", "{}").refuses(StatusCode::corrupt_file, {"modules.json", "not an array"}));
  EXPECT_TRUE(
      Folder().with("modules.json", "[1]").refuses(StatusCode::corrupt_file, {"modules.json: module 0 is the"}));
  EXPECT_TRUE(Folder()
                  .with("modules.json", R"([{"path":""}])")
                  .refuses(StatusCode::not_found, {"modules.json: module 0", "\"type\" is missing"}));
  EXPECT_TRUE(Folder()
                  .with("modules.json", R"([{"type":"Transformer"}])")
                  .refuses(StatusCode::not_found, {"modules.json: module 0", "\"path\" is missing"}));
  EXPECT_TRUE(Folder()
                  .with("modules.json", R"([{"type":3,"path":""}])")
                  .refuses(StatusCode::corrupt_file, {"modules.json: module 0", "\"type\" is the number 3"}));
  EXPECT_TRUE(Folder()
                  .with("modules.json", R"([{"idx":1,"type":"Transformer","path":""}])")
                  .refuses(StatusCode::corrupt_file, {"modules.json: module 0", "\"idx\" is the number 1"}));
}

TEST(Pooling, ReadsBothSpellings) {
  const auto mode = [](std::string_view config) { return read_with("1_Pooling/config.json", config).pooling; };
  EXPECT_EQ(mode(R"({"pooling_mode_cls_token": true})"), PoolingMode::cls);
  EXPECT_EQ(mode(R"({"pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": false})"), PoolingMode::max);
  EXPECT_EQ(mode(R"({"pooling_mode_mean_tokens": true})"), PoolingMode::mean);
  EXPECT_EQ(mode("{}"), PoolingMode::mean);
  EXPECT_EQ(mode(R"({"pooling_mode_mean_tokens": false})"), PoolingMode::mean);
  EXPECT_EQ(mode(R"({"pooling_mode": "cls"})"), PoolingMode::cls);
  EXPECT_EQ(mode(R"({"pooling_mode": ["max"]})"), PoolingMode::max);
  // As in sentence-transformers, the newer key wins.
  EXPECT_EQ(mode(R"({"pooling_mode": "cls", "pooling_mode_mean_tokens": true})"), PoolingMode::cls);
  EXPECT_EQ(mode(R"({"include_prompt": true})"), PoolingMode::mean);
}

TEST(Pooling, ReadsBothSpellingsOfItsDimension) {
  EXPECT_EQ(read_with("1_Pooling/config.json", R"({"embedding_dimension": 7})").pooling_dimension, 7);
  EXPECT_EQ(read_with("1_Pooling/config.json", R"({"word_embedding_dimension": 8})").pooling_dimension, 8);
  EXPECT_EQ(read_with("1_Pooling/config.json", "{}").pooling_dimension, 0);
}

TEST(Pooling, RefusesOtherModesByName) {
  const auto refuses = [](std::string_view config, std::string_view fact) {
    return Folder()
        .with("1_Pooling/config.json", config)
        .refuses(StatusCode::unsupported, {"1_Pooling/config.json", fact, "mean, cls and max"});
  };
  EXPECT_TRUE(refuses(R"({"pooling_mode_mean_sqrt_len_tokens": true})", "\"mean_sqrt_len_tokens\""));
  EXPECT_TRUE(refuses(R"({"pooling_mode_weightedmean_tokens": true})", "\"weightedmean\""));
  EXPECT_TRUE(refuses(R"({"pooling_mode_lasttoken": true})", "\"lasttoken\""));
  EXPECT_TRUE(refuses(R"({"pooling_mode": "lasttoken"})", "\"lasttoken\""));
  EXPECT_TRUE(refuses(R"({"pooling_mode": "median"})", "\"median\""));
  EXPECT_TRUE(refuses(R"({"pooling_mode": ["mean", "cls"]})", "\"mean + cls\": several"));
  EXPECT_TRUE(
      refuses(R"({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true})", "\"cls + mean\": several"));
}

TEST(Pooling, RefusesToLeaveThePromptOut) {
  EXPECT_TRUE(Folder()
                  .with("1_Pooling/config.json", R"({"include_prompt": false})")
                  .refuses(StatusCode::unsupported, {"1_Pooling/config.json", "\"include_prompt\" is false"}));
}

TEST(Pooling, IsWellFormed) {
  const auto refuses = [](std::string_view config, std::string_view fact) {
    return Folder()
        .with("1_Pooling/config.json", config)
        .refuses(StatusCode::corrupt_file, {"1_Pooling/config.json", fact});
  };
  EXPECT_TRUE(refuses(R"({"pooling_mode": 1})", "\"pooling_mode\" is the number 1"));
  EXPECT_TRUE(refuses(R"({"pooling_mode": [1]})", "\"pooling_mode\" holds the number 1"));
  EXPECT_TRUE(refuses(R"({"pooling_mode": []})", "\"pooling_mode\" is an empty list"));
  EXPECT_TRUE(refuses(R"({"pooling_mode_cls_token": "yes"})", "\"pooling_mode_cls_token\" is the string \"yes\""));
  EXPECT_TRUE(refuses(R"({"word_embedding_dimension": 0})", "\"word_embedding_dimension\" is the number 0"));
  EXPECT_TRUE(refuses("", "is empty"));
  const Folder folder;
  std::filesystem::remove(folder.dir.path() / "1_Pooling/config.json");
  EXPECT_TRUE(folder.refuses(StatusCode::not_found, {"1_Pooling/config.json", "no such file"}));
}

TEST(TransformerFile, AcceptsTheNewerKeys) {
  const auto config = read_with("sentence_bert_config.json", R"({"transformer_task": "feature-extraction",
    "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
    "module_output_name": "token_embeddings", "processing_kwargs": {}, "max_seq_length": null})");
  EXPECT_EQ(config.max_sequence_length, 0);
}

TEST(TransformerFile, RefusesOtherOutputs) {
  const auto refuses = [](std::string_view config, StatusCode code, std::string_view fact) {
    return Folder().with("sentence_bert_config.json", config).refuses(code, {"sentence_bert_config.json", fact});
  };
  const auto unsupported = StatusCode::unsupported;
  EXPECT_TRUE(refuses(R"({"transformer_task": "fill-mask"})", unsupported, "\"transformer_task\" is \"fill-mask\""));
  EXPECT_TRUE(refuses(R"({"module_output_name": "sentence_embedding"})", unsupported, "\"sentence_embedding\""));
  EXPECT_TRUE(refuses(R"({"modality_config": {"text": {"method_output_name": "pooler_output"}}})", unsupported,
                      "\"method_output_name\" is \"pooler_output\""));
  EXPECT_TRUE(refuses(R"({"modality_config": {"text": {"method": "get_text_features"}}})", unsupported, "\"method\""));
  EXPECT_TRUE(refuses(R"({"processing_kwargs": {"text": {}}})", unsupported, "\"processing_kwargs\""));
  EXPECT_TRUE(refuses(R"({"modality_config": {"image": {}}})", StatusCode::corrupt_file, "\"modality_config\""));
  EXPECT_TRUE(refuses(R"({"modality_config": {"text": "x"}})", StatusCode::corrupt_file, "\"modality_config\""));
}

TEST(TransformerFile, IsWellFormed) {
  const auto refuses = [](std::string_view config, std::string_view fact) {
    return Folder()
        .with("sentence_bert_config.json", config)
        .refuses(StatusCode::corrupt_file, {"sentence_bert_config.json", fact});
  };
  EXPECT_TRUE(refuses(R"({"max_seq_length": 0})", "\"max_seq_length\" is the number 0"));
  EXPECT_TRUE(refuses(R"({"max_seq_length": 256.5})", "\"max_seq_length\" is the number 256.5"));
  EXPECT_TRUE(refuses(R"({"max_seq_length": "256"})", "\"max_seq_length\" is the string \"256\""));
  EXPECT_TRUE(refuses(R"({"do_lower_case": 1})", "\"do_lower_case\" is the number 1"));
}

TEST(NormalizeFile, WorksOnSentencesOnly) {
  EXPECT_TRUE(read_with("2_Normalize/config.json", "{}").normalize);
  EXPECT_TRUE(read_with("2_Normalize/config.json", R"({"module_input_name": "sentence_embedding"})").normalize);
  EXPECT_TRUE(Folder()
                  .with("2_Normalize/config.json", R"({"module_input_name": "token_embeddings"})")
                  .refuses(StatusCode::unsupported, {"2_Normalize/config.json", "\"token_embeddings\""}));
}

constexpr const char* kSettings = "config_sentence_transformers.json";

TEST(Settings, ReadPrompts) {
  const auto config = read_with(kSettings, R"({"prompts": {"query": "query: ", "document": "", "none": null},
    "default_prompt_name": "query", "similarity_fn_name": "cosine", "model_type": "SentenceTransformer"})");
  EXPECT_EQ(config.prompts, (std::map<std::string, std::string>{{"query", "query: "}, {"document", ""}, {"none", ""}}));
  EXPECT_EQ(config.default_prompt, "query");
  EXPECT_EQ(read_with(kSettings, R"({"prompts": null, "default_prompt_name": null})").default_prompt, "");
}

TEST(Settings, RefuseWhatWouldChangeTheVectors) {
  EXPECT_TRUE(Folder()
                  .with(kSettings, R"({"truncate_dim": 128})")
                  .refuses(StatusCode::unsupported, {kSettings, "\"truncate_dim\" is the number 128"}));
  EXPECT_TRUE(Folder()
                  .with(kSettings, R"({"model_type": "SparseEncoder"})")
                  .refuses(StatusCode::unsupported, {kSettings, "\"model_type\" is \"SparseEncoder\""}));
}

TEST(Settings, AreWellFormed) {
  const auto refuses = [](std::string_view config, std::string_view fact) {
    return Folder().with(kSettings, config).refuses(StatusCode::corrupt_file, {kSettings, fact});
  };
  EXPECT_TRUE(refuses(R"({"prompts": ["a"]})", "\"prompts\" is an array"));
  EXPECT_TRUE(refuses(R"({"prompts": {"query": 1}})", "prompt \"query\" is the number 1"));
  EXPECT_TRUE(refuses(R"({"prompts": {"a": ""}, "default_prompt_name": "b"})", "\"b\" is not among \"prompts\""));
  EXPECT_TRUE(refuses(R"({"default_prompt_name": 1})", "\"default_prompt_name\" is the number 1"));
  EXPECT_TRUE(refuses("{", "not valid JSON"));
}

}  // namespace
}  // namespace quire::loader
