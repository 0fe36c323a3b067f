// SPDX-License-Identifier: Apache-2.0
#include "loader/weights.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "loader/finite.h"
#include "tests/support/is_error.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace quire::loader {
namespace {

using test::is_error;
using test::SafetensorsWriter;
using test::TempDir;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const std::vector<float> kValues = {1.5f, -2.0f, 0.0f, 4.0f, 5.0f, -6.25f};  // exact in every format
const std::vector<Index> kShape = {2, 3};

// A folder whose model.safetensors is `file`.
struct Folder {
  TempDir dir;
  explicit Folder(const std::string& file) { dir.write("model.safetensors", file); }
  Weights open() const {
    Result<Weights> weights = Weights::open(dir.path());
    if (!weights.ok()) throw std::runtime_error(weights.status().message());
    return *std::move(weights);
  }
};

Status open_status(const std::filesystem::path& folder) { return Weights::open(folder).status(); }

TEST(Weights, ReadsEveryFloatFormat) {
  const Folder folder(SafetensorsWriter()
                          .add_f32("single", kShape, kValues)
                          .add_f16("half", kShape, kValues)
                          .add_bf16("brain", kShape, kValues)
                          .file());
  const Weights weights = folder.open();
  for (const char* name : {"single", "half", "brain"}) {
    std::vector<float> out(kValues.size());
    const Status status = weights.read_f32(name, kShape, out.data());
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(out, kValues) << name;
  }
}

TEST(Weights, ReadsMisalignedData) {
  const Folder folder(SafetensorsWriter()
                          .add_f32("single", kShape, kValues)
                          .add_bf16("brain", kShape, kValues)
                          .file(/*misalign=*/true));
  const Weights weights = folder.open();
  for (const char* name : {"single", "brain"}) {
    std::vector<float> out(kValues.size());
    EXPECT_TRUE(weights.read_f32(name, kShape, out.data()).ok());
    EXPECT_EQ(out, kValues) << name;
    const auto mapped = weights.map_f32(name, kShape);
    ASSERT_TRUE(mapped.ok());
    EXPECT_EQ(*mapped, nullptr);
  }
}

TEST(Weights, MapsAlignedSinglesInPlace) {
  const Folder folder(SafetensorsWriter().add_f32("single", kShape, kValues).add_f16("half", kShape, kValues).file());
  const Weights weights = folder.open();
  const auto mapped = weights.map_f32("single", kShape);
  ASSERT_TRUE(mapped.ok()) << mapped.status().message();
  ASSERT_NE(*mapped, nullptr);
  EXPECT_EQ(static_cast<const void*>(*mapped), weights.find("single")->data);
  EXPECT_EQ(std::vector<float>(*mapped, *mapped + 6), kValues);
  EXPECT_EQ(*weights.map_f32("half", kShape), nullptr);
}

TEST(Weights, ListsWhatItHolds) {
  const std::int64_t ids[] = {0, 1, 2};
  const Folder folder(SafetensorsWriter()
                          .add_f32("b", kShape, kValues)
                          .add_i64("ids", {1, 3}, ids)
                          .add_f16("a", kShape, kValues)
                          .file());
  const Weights weights = folder.open();
  ASSERT_EQ(weights.all().size(), 3u);
  EXPECT_EQ(weights.all()[0].name, "a");
  EXPECT_EQ(weights.all()[1].name, "b");
  EXPECT_EQ(weights.all()[2].name, "ids");
  EXPECT_EQ(weights.parameters(), 12);  // ids do not count
  EXPECT_EQ(weights.source(), (folder.dir.path() / "model.safetensors").string());
  EXPECT_EQ(weights.find("absent"), nullptr);
  ASSERT_TRUE(weights.get("ids").ok());
  EXPECT_EQ(weights.get("ids")->dtype, DType::i64);
}

TEST(Weights, OutlivesMoves) {
  const Folder folder(SafetensorsWriter().add_f32("t", kShape, kValues).file());
  Weights first = folder.open();
  const float* data = *first.map_f32("t", kShape);
  Weights second = std::move(first);
  EXPECT_EQ(*second.map_f32("t", kShape), data);
  EXPECT_EQ(data[5], -6.25f);
}

TEST(Weights, NamesTheNearestNames) {
  const Folder folder(SafetensorsWriter()
                          .add("bert.embeddings.LayerNorm.weight", "U8", {0}, "")
                          .add("encoder.layer.0.output.dense.bias", "U8", {0}, "")
                          .add("encoder.layer.1.output.dense.bias", "U8", {0}, "")
                          .add("pooler", "U8", {0}, "")
                          .file());
  const Weights weights = folder.open();
  const std::string file = weights.source();
  EXPECT_TRUE(is_error(weights.get("embeddings.LayerNorm.weight").status(), StatusCode::not_found,
                       {file, "no tensor \"embeddings.LayerNorm.weight\"",
                        "the nearest names are \"bert.embeddings.LayerNorm.weight\""}));
  EXPECT_TRUE(is_error(weights.get("encoder.layer.0.output.dense.bais").status(), StatusCode::not_found,
                       {"are \"encoder.layer.0.output.dense.bias\", \"encoder.layer.1.output.dense.bias\""}));
  EXPECT_TRUE(is_error(weights.get("xyz").status(), StatusCode::not_found, {file, "nor one of a similar name"}));
  EXPECT_TRUE(is_error(weights.get(std::string(100'000, 'x')).status(), StatusCode::not_found, {"xxx...\""}));
  EXPECT_TRUE(is_error(weights.read_f32("xyz", {}, nullptr), StatusCode::not_found, {file, "\"xyz\""}));
  EXPECT_TRUE(is_error(weights.map_f32("xyz", {}).status(), StatusCode::not_found, {file, "\"xyz\""}));
}

TEST(Weights, ChecksDtypeAndShape) {
  const std::int64_t ids[] = {0, 1, 2, 3, 4, 5};
  const Folder folder(SafetensorsWriter()
                          .add_i64("ids", kShape, ids)
                          .add("small", "F8_E4M3", kShape, "123456")
                          .add_f32("t", kShape, kValues)
                          .file());
  const Weights weights = folder.open();
  std::vector<float> out(6);
  EXPECT_TRUE(is_error(weights.read_f32("ids", kShape, out.data()), StatusCode::unsupported,
                       {"model.safetensors", "tensor \"ids\" is I64, wanted F32, F16 or BF16"}));
  EXPECT_TRUE(is_error(weights.map_f32("small", kShape).status(), StatusCode::unsupported,
                       {"model.safetensors", "tensor \"small\" is F8_E4M3"}));
  for (const std::vector<Index>& shape : std::vector<std::vector<Index>>{{3, 2}, {6}, {2, 3, 1}, {}})
    EXPECT_TRUE(is_error(weights.read_f32("t", shape, out.data()), StatusCode::corrupt_file,
                         {"model.safetensors", "tensor \"t\" has shape [2, 3], wanted ["}));
}

TEST(Weights, FindsWhatIsNotFinite) {
  const Folder folder(SafetensorsWriter()
                          .add_f32("nan", kShape, std::vector<float>{1, 2, 3, kNan, kInfinity, 6})
                          .add_f16("half", kShape, std::vector<float>{1, 2, 3, 4, -kInfinity, 6})
                          .add_bf16("brain", kShape, std::vector<float>{kNan, 2, 3, 4, 5, 6})
                          .file());
  const Weights weights = folder.open();
  std::vector<float> out(6);
  EXPECT_TRUE(is_error(weights.read_f32("nan", kShape, out.data()), StatusCode::non_finite,
                       {"model.safetensors", "tensor \"nan\": element 3 is NaN"}));
  EXPECT_TRUE(is_error(weights.map_f32("nan", kShape).status(), StatusCode::non_finite,
                       {"model.safetensors", "tensor \"nan\": element 3 is NaN"}));
  EXPECT_TRUE(is_error(weights.read_f32("half", kShape, out.data()), StatusCode::non_finite,
                       {"tensor \"half\": element 4 is infinite"}));
  EXPECT_TRUE(is_error(weights.read_f32("brain", kShape, out.data()), StatusCode::non_finite, {"element 0 is NaN"}));
}

TEST(Finite, FindsTheFirstAtEveryPlace) {
  // Sizes around the block of 2048 and what is left of a vector.
  for (Index n : {1, 2, 15, 16, 17, 2047, 2048, 2049, 4100})
    for (Index at : {Index{0}, n / 2, n - 1}) {
      std::vector<float> values(static_cast<std::size_t>(n), std::numeric_limits<float>::max());
      EXPECT_EQ(first_non_finite(values.data(), n), -1);
      for (float bad : {kNan, -kNan, kInfinity, -kInfinity, std::bit_cast<float>(0x7f800001u)}) {
        values[static_cast<std::size_t>(at)] = bad;
        values.back() = bad;
        EXPECT_EQ(first_non_finite(values.data(), n), at);
      }
    }
  EXPECT_EQ(first_non_finite(nullptr, 0), -1);
}

// Written by the reference implementation, so that reader and writer here cannot agree on a mistake.
TEST(Weights, OpensFilesOfTheReferenceWriter) {
  const auto data = test::shared_data();
  if (!data) GTEST_SKIP() << "no shared data";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*data)) {
    if (entry.path().extension() != ".safetensors") continue;
    const TempDir dir;
    std::filesystem::create_symlink(std::filesystem::absolute(entry.path()), dir.path() / "model.safetensors");
    const auto weights = Weights::open(dir.path());
    ASSERT_TRUE(weights.ok()) << weights.status().message();
    EXPECT_FALSE(weights->all().empty());
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST(Weights, NeedsAFolderThatHoldsThem) {
  const TempDir dir;
  EXPECT_TRUE(is_error(open_status(dir.path() / "absent"), StatusCode::not_found, {"absent", "no such folder"}));
  EXPECT_TRUE(is_error(open_status(dir.path()), StatusCode::not_found,
                       {dir.path().string(), "neither model.safetensors nor model.safetensors.index.json"}));
  const auto file = dir.write("some.file", "");
  EXPECT_TRUE(is_error(open_status(file), StatusCode::invalid_argument, {"some.file", "is not a folder"}));
  std::filesystem::create_directory(dir.path() / "model.safetensors");
  EXPECT_TRUE(is_error(open_status(dir.path()), StatusCode::io_error, {"model.safetensors", "is a folder"}));
}

TEST(Weights, SaysHowToConvertOtherForms) {
  for (const char* name : {"pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5", "onnx/model.onnx"}) {
    const TempDir dir;
    dir.write(name, "PK");
    EXPECT_TRUE(is_error(open_status(dir.path()), StatusCode::unsupported,
                         {dir.path().string(), name, "convert", "safe_serialization=True"}));
  }
}

TEST(Weights, NamesTheFileThatIsBroken) {
  const TempDir dir;
  dir.write("model.safetensors", "version https://git-lfs.github.com/spec/v1\n");
  EXPECT_TRUE(is_error(open_status(dir.path()), StatusCode::corrupt_file,
                       {(dir.path() / "model.safetensors").string(), "git lfs pull"}));
}

}  // namespace
}  // namespace quire::loader
