// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "loader/weights.h"
#include "tests/support/is_error.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/temp_dir.h"

namespace quire::loader {
namespace {

using test::is_error;
using test::SafetensorsWriter;
using test::TempDir;

constexpr const char* kIndex = "model.safetensors.index.json";

std::string shard(std::string_view name, float value) {
  return SafetensorsWriter().add_f32(name, {1}, std::vector<float>{value}).file();
}

// Two shards, "a" in one.safetensors and "b" in two.safetensors, and an index with this weight_map.
struct Sharded {
  TempDir dir;
  explicit Sharded(std::string_view weight_map = R"({"a":"one.safetensors","b":"two.safetensors"})") {
    dir.write("one.safetensors", shard("a", 1));
    dir.write("two.safetensors", shard("b", 2));
    dir.write(kIndex, R"({"metadata":{"total_size":8},"weight_map":)" + std::string(weight_map) + "}");
  }
  Status status() const { return Weights::open(dir.path()).status(); }
};

float value_of(const Weights& weights, std::string_view name) {
  float value = 0;
  const Index shape[] = {1};
  const Status status = weights.read_f32(name, shape, &value);
  EXPECT_TRUE(status.ok()) << status.message();
  return value;
}

TEST(Shards, AreOneSetOfWeights) {
  const Sharded folder;
  const auto weights = Weights::open(folder.dir.path());
  ASSERT_TRUE(weights.ok()) << weights.status().message();
  EXPECT_EQ(value_of(*weights, "a"), 1);
  EXPECT_EQ(value_of(*weights, "b"), 2);
  EXPECT_EQ(weights->parameters(), 2);
  EXPECT_EQ(weights->source(), (folder.dir.path() / kIndex).string());
  EXPECT_TRUE(is_error(weights->get("c").status(), StatusCode::not_found, {kIndex, "\"c\""}));
}

TEST(Shards, AreNamedInMessages) {
  const Sharded folder;
  const auto weights = Weights::open(folder.dir.path());
  ASSERT_TRUE(weights.ok());
  const Index shape[] = {2};
  EXPECT_TRUE(is_error(weights->map_f32("b", shape).status(), StatusCode::corrupt_file, {"two.safetensors", "\"b\""}));
}

TEST(Shards, GiveWayToASingleFile) {
  const Sharded folder;
  folder.dir.write("model.safetensors", shard("a", 7));
  const auto weights = Weights::open(folder.dir.path());
  ASSERT_TRUE(weights.ok()) << weights.status().message();
  EXPECT_EQ(value_of(*weights, "a"), 7);
  EXPECT_EQ(weights->find("b"), nullptr);
}

TEST(Shards, MayHoldTensorsThatTheIndexDoesNotName) {
  const Sharded folder(R"({"a":"one.safetensors"})");
  folder.dir.write(
      "one.safetensors",
      SafetensorsWriter().add_f32("a", {1}, std::vector<float>{1}).add_f32("extra", {1}, std::vector<float>{3}).file());
  const auto weights = Weights::open(folder.dir.path());
  ASSERT_TRUE(weights.ok()) << weights.status().message();
  EXPECT_EQ(value_of(*weights, "extra"), 3);
}

TEST(Shards, MustExist) {
  const Sharded folder(R"({"a":"one.safetensors","b":"three.safetensors"})");
  EXPECT_TRUE(is_error(folder.status(), StatusCode::not_found, {"three.safetensors", "no such file"}));
}

TEST(Shards, MustBeWhole) {
  const Sharded folder;
  folder.dir.write("two.safetensors", shard("b", 2).substr(0, 30));
  EXPECT_TRUE(is_error(folder.status(), StatusCode::corrupt_file, {"two.safetensors", "cut short"}));
}

TEST(Shards, MustHoldWhatTheIndexPromises) {
  EXPECT_TRUE(is_error(Sharded(R"({"a":"one.safetensors","c":"two.safetensors"})").status(), StatusCode::corrupt_file,
                       {kIndex, "tensor \"c\"", "two.safetensors", "no file holds it"}));
  EXPECT_TRUE(is_error(Sharded(R"({"a":"two.safetensors","b":"one.safetensors"})").status(), StatusCode::corrupt_file,
                       {kIndex, "tensor \"a\"", "two.safetensors", "it stands in", "one.safetensors"}));
}

TEST(Shards, MustNotShareATensor) {
  const Sharded folder;
  folder.dir.write(
      "two.safetensors",
      SafetensorsWriter().add_f32("a", {1}, std::vector<float>{1}).add_f32("b", {1}, std::vector<float>{2}).file());
  EXPECT_TRUE(is_error(folder.status(), StatusCode::corrupt_file,
                       {"tensor \"a\" also stands in", "one.safetensors", "two.safetensors"}));
}

TEST(Shards, StayInsideTheFolder) {
  for (const char* name :
       {"../one.safetensors", "/etc/passwd", "sub/one.safetensors", "..", ".", "", "a\\\\b", "a\\u0000b"})
    EXPECT_TRUE(is_error(Sharded(R"({"a":")" + std::string(name) + "\"}").status(), StatusCode::corrupt_file,
                         {kIndex, "weight_map \"a\" names", "no plain file name"}))
        << name;
}

TEST(Shards, NeedAProperIndex) {
  EXPECT_TRUE(is_error(Sharded("[]").status(), StatusCode::corrupt_file, {kIndex, "\"weight_map\" is an array"}));
  EXPECT_TRUE(is_error(Sharded("{}").status(), StatusCode::corrupt_file, {kIndex, "\"weight_map\" is empty"}));
  EXPECT_TRUE(is_error(Sharded(R"({"a":1})").status(), StatusCode::corrupt_file, {kIndex, "\"a\" is the number 1"}));
  EXPECT_TRUE(is_error(Sharded(R"({"a":"one.safetensors","a":"two.safetensors"})").status(), StatusCode::corrupt_file,
                       {kIndex, "\"a\" stands twice"}));
  const Sharded folder;
  folder.dir.write(kIndex, "{}");
  EXPECT_TRUE(is_error(folder.status(), StatusCode::not_found, {kIndex, "\"weight_map\" is missing"}));
  folder.dir.write(kIndex, "{");
  EXPECT_TRUE(is_error(folder.status(), StatusCode::corrupt_file, {kIndex, "not valid JSON"}));
}

}  // namespace
}  // namespace quire::loader
