// SPDX-License-Identifier: Apache-2.0
//
// Folders that are broken or not ours: each is refused with a Status that names the file and the fact.
#include <gtest/gtest.h>

#include <functional>

#include "quire/encoder.h"
#include "tests/engine/copied_model.h"

namespace quire::test {
namespace {

constexpr const char* kWeights = "model.safetensors";

struct Broken {
  const char* name;
  std::function<void(const CopiedModel&)> spoil;
  StatusCode code;
  std::vector<std::string> words;  // what the message must say
};

// The bytes of the tensors begin behind the header, whose length stands in the first eight bytes.
std::size_t data_start(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof(length));
  return sizeof(length) + static_cast<std::size_t>(length);
}

// Puts four bytes into the first element of embeddings.LayerNorm.bias, which has data_offsets [32, 224).
void set_element(const CopiedModel& model, std::uint32_t bits) {
  std::string file = model.read(kWeights);
  std::memcpy(file.data() + data_start(file) + 32, &bits, sizeof(bits));
  model.write(kWeights, file);
}

void spoil_header_length(const CopiedModel& model) {
  std::string file = model.read(kWeights);
  const std::uint64_t length = std::uint64_t{1} << 63;
  std::memcpy(file.data(), &length, sizeof(length));
  model.write(kWeights, file);
}

const Broken kBroken[] = {
    {"NoConfig", [](const CopiedModel& m) { m.remove("config.json"); }, StatusCode::not_found, {"config.json"}},
    {"NoWeights", [](const CopiedModel& m) { m.remove(kWeights); }, StatusCode::not_found, {kWeights}},
    {"NoTokenizer",
     [](const CopiedModel& m) { m.remove("tokenizer.json"); },
     StatusCode::not_found,
     {"tokenizer.json"}},
    {"EmptyConfig",
     [](const CopiedModel& m) { m.write("config.json", ""); },
     StatusCode::corrupt_file,
     {"config.json"}},
    {"EmptyWeights",
     [](const CopiedModel& m) { m.write(kWeights, ""); },
     StatusCode::corrupt_file,
     {kWeights, "empty"}},
    {"EmptyTokenizer",
     [](const CopiedModel& m) { m.write("tokenizer.json", ""); },
     StatusCode::corrupt_file,
     {"tokenizer.json"}},
    {"CutWeights",
     [](const CopiedModel& m) {
       const std::string file = m.read(kWeights);
       m.write(kWeights, std::string_view(file).substr(0, file.size() - 100));
     },
     StatusCode::corrupt_file,
     {kWeights}},
    {"CutInTheHeader",
     [](const CopiedModel& m) { m.write(kWeights, std::string_view(m.read(kWeights)).substr(0, 200)); },
     StatusCode::corrupt_file,
     {kWeights}},
    {"CutConfig",
     [](const CopiedModel& m) { m.write("config.json", std::string_view(m.read("config.json")).substr(0, 60)); },
     StatusCode::corrupt_file,
     {"config.json"}},
    {"HeaderLength2To63", spoil_header_length, StatusCode::corrupt_file, {kWeights, "9223372036854775808"}},
    {"GitLfsPointer",
     [](const CopiedModel& m) {
       m.write(kWeights, "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 90868376\n");
     },
     StatusCode::corrupt_file,
     {kWeights, "LFS"}},
    {"WrongDtype",
     [](const CopiedModel& m) {
       m.replace(kWeights, R"("embeddings.LayerNorm.bias":{"dtype":"F32")",
                 R"("embeddings.LayerNorm.bias":{"dtype":"I32")");
     },
     StatusCode::unsupported,
     {kWeights, "embeddings.LayerNorm.bias", "I32", "F32"}},
    {"WrongShape",
     [](const CopiedModel& m) { m.replace(kWeights, R"("shape":[64,48])", R"("shape":[48,64])"); },
     StatusCode::corrupt_file,
     {kWeights, "embeddings.word_embeddings.weight", "[48, 64]", "[64, 48]"}},
    {"MissingTensor",
     [](const CopiedModel& m) {
       m.replace(kWeights, "encoder.layer.1.output.dense.bias", "encoder.layer.1.output.dense.bios");
     },
     StatusCode::not_found,
     {"encoder.layer.1.output.dense.bias"}},
    {"NanWeight",
     [](const CopiedModel& m) { set_element(m, 0x7fc00000u); },
     StatusCode::non_finite,
     {kWeights, "embeddings.LayerNorm.bias"}},
    {"InfiniteWeight",
     [](const CopiedModel& m) { set_element(m, 0xff800000u); },
     StatusCode::non_finite,
     {kWeights, "embeddings.LayerNorm.bias"}},
    {"ConfigWithoutKey",
     [](const CopiedModel& m) { m.replace("config.json", "\"hidden_size\"", "\"hidden_sise\""); },
     StatusCode::not_found,
     {"config.json", "hidden_size"}},
    {"UnknownModelType",
     [](const CopiedModel& m) { m.replace("config.json", "\"model_type\": \"bert\"", "\"model_type\": \"mamba\""); },
     StatusCode::unsupported,
     {"config.json", "mamba", "bert"}},
    {"UnknownArchitecture",
     [](const CopiedModel& m) { m.replace("config.json", "\"BertModel\"", "\"HF_ColBERT\""); },
     StatusCode::unsupported,
     {"config.json", "HF_ColBERT", "BertModel"}},
    {"UnknownActivation",
     [](const CopiedModel& m) { m.replace("config.json", "\"gelu\"", "\"quick_gelu\""); },
     StatusCode::unsupported,
     {"config.json", "quick_gelu"}},
    {"UnknownModule",
     [](const CopiedModel& m) { m.replace("modules.json", "models.Normalize", "models.Dense"); },
     StatusCode::unsupported,
     {"modules.json", "Dense"}},
    {"PoolingOfAnotherSize",
     [](const CopiedModel& m) { m.replace("1_Pooling/config.json", "48", "384"); },
     StatusCode::corrupt_file,
     {"1_Pooling", "384", "48"}},
    {"MoreLayersThanTheFileHas",
     [](const CopiedModel& m) {
       m.replace("config.json", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2000000000");
     },
     StatusCode::not_found,
     {"encoder.layer.3"}},
};

class BrokenModel : public testing::TestWithParam<Broken> {};

TEST_P(BrokenModel, IsRefusedByNameAndFact) {
  const CopiedModel model;
  GetParam().spoil(model);
  const Status status = TextEncoder::load(model.path()).status();
  EXPECT_EQ(to_string(status.code()), to_string(GetParam().code)) << status.message();
  for (const std::string& word : GetParam().words)
    EXPECT_NE(status.message().find(word), std::string::npos) << "\"" << word << "\" is not in: " << status.message();
}

std::string broken_name(const testing::TestParamInfo<Broken>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Each, BrokenModel, testing::ValuesIn(kBroken), broken_name);

TEST(UnbrokenModel, Loads) {
  const CopiedModel model;
  EXPECT_TRUE(TextEncoder::load(model.path()).ok());
}

TEST(ModelFolder, NamesAFolderThatIsNotThere) {
  const Status status = ModelFolder::open("/nonexistent/model").status();
  EXPECT_EQ(status.code(), StatusCode::not_found);
  EXPECT_NE(status.message().find("/nonexistent/model"), std::string::npos);
}

// do_lower_case asks sentence-transformers to lowercase in front of the tokenizer: harmless where the tokenizer does
// it.
TEST(ModelFolder, LowerCaseIsRefusedWhereTheTokenizerKeepsCapitals) {
  const CopiedModel model;
  model.replace("sentence_bert_config.json", "\"do_lower_case\": false", "\"do_lower_case\": true");
  EXPECT_TRUE(ModelFolder::open(model.path()).ok());
  model.replace("tokenizer.json", "\"lowercase\":true", "\"lowercase\":false");
  const Status status = ModelFolder::open(model.path()).status();
  EXPECT_EQ(status.code(), StatusCode::unsupported);
  EXPECT_NE(status.message().find("do_lower_case"), std::string::npos);
}

TEST(ModelFolder, RefusesLevelsAndThreadsThatCannotBe) {
  const std::string folder = golden_folder("gelu_f32").string();
  EngineOptions level, many, negative;
  level.level = "avx1024";
  many.threads = 100000;
  negative.threads = -1;
  for (const EngineOptions& options : {level, many, negative})
    EXPECT_EQ(ModelFolder::open(folder, options).status().code(), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace quire::test
