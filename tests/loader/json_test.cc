// SPDX-License-Identifier: Apache-2.0
#include "loader/json.h"

#include <gtest/gtest.h>

#include "tests/support/is_error.h"
#include "tests/support/temp_dir.h"

namespace quire::loader {
namespace {

using test::is_error;
using Kind = JsonValue::Kind;

Result<JsonValue> parse(std::string_view text) { return parse_json_object(text, "a.json"); }

testing::AssertionResult is_corrupt(std::string_view text, std::string_view fact) {
  return is_error(parse(text).status(), StatusCode::corrupt_file, {"a.json: ", fact});
}

TEST(Json, KeepsEveryKindOfValue) {
  const auto root =
      parse(R"( {"n":null,"t":true,"f":false,"i":-12,"d":1.5e-3,"s":"a\"\u00e9\n","a":[1,[],{}],"o":{"k":"v"}} )");
  ASSERT_TRUE(root.ok()) << root.status().message();
  ASSERT_EQ(root->kind, Kind::object);
  EXPECT_EQ(root->find("n")->kind, Kind::null);
  EXPECT_TRUE(root->find("t")->boolean);
  EXPECT_EQ(root->find("f")->kind, Kind::boolean);
  EXPECT_FALSE(root->find("f")->boolean);
  EXPECT_EQ(root->find("i")->text, "-12");
  EXPECT_EQ(root->find("d")->text, "1.5e-3");
  EXPECT_EQ(root->find("s")->text, "a\"\xC3\xA9\n");
  ASSERT_EQ(root->find("a")->items.size(), 3u);
  EXPECT_EQ(root->find("a")->items[0].text, "1");
  EXPECT_EQ(root->find("a")->items[1].kind, Kind::array);
  EXPECT_EQ(root->find("a")->items[2].kind, Kind::object);
  EXPECT_EQ(root->find("o")->find("k")->text, "v");
  EXPECT_EQ(root->find("absent"), nullptr);
  EXPECT_EQ(root->keys.size(), 8u);
}

TEST(Json, KeepsNumbersThatFitNoType) {
  const auto root = parse(R"({"model_max_length":1000000000000000019884624838656,"huge":1e999})");
  ASSERT_TRUE(root.ok()) << root.status().message();
  EXPECT_EQ(root->find("model_max_length")->text, "1000000000000000019884624838656");
  EXPECT_EQ(root->find("huge")->text, "1e999");
}

TEST(Json, AnEmptyObjectIsWhole) {
  const auto root = parse(" {} \n");
  ASSERT_TRUE(root.ok()) << root.status().message();
  EXPECT_TRUE(root->items.empty());
}

TEST(Json, RefusesWhatIsNoJson) {
  for (std::string_view text : {"{",
                                "}",
                                "{\"a\"",
                                "{\"a\":",
                                "{\"a\":1",
                                "{\"a\":1,",
                                "{\"a\":1,}",
                                "{a:1}",
                                "{\"a\" 1}",
                                "{\"a\":1 \"b\":2}",
                                "{\"a\":[1 2]}",
                                "{\"a\":[1,]}",
                                "{\"a\":[}",
                                "{\"a\":]}",
                                "{\"a\":\"b}",
                                "{\"a\":\"\\x\"}",
                                "{\"a\":\"\\ud800\"}",
                                "{\"a\":\"\t\"}",
                                "{'a':1}",
                                "{\"a\":1}//",
                                "{,}",
                                "{\"a\"::1}",
                                "{1:2}",
                                "{\"a\":tru}",
                                "{\"a\":nulll}",
                                "{\"a\":NaN}",
                                "{\"a\":Infinity}",
                                "{\"a\":+1}",
                                "{\"a\":01}",
                                "{\"a\":-}",
                                "{\"a\":1.}",
                                "{\"a\":.5}",
                                "{\"a\":1e}",
                                "{\"a\":0x10}",
                                "{\"a\":1_0}",
                                "{\"a\":\xFF}",
                                "{\"a\":\"\xFF\"}",
                                "{\"a\":\"\xC0\x80\"}"})
    EXPECT_TRUE(is_corrupt(text, "is not valid JSON")) << text;
}

TEST(Json, RefusesTextAfterTheEnd) {
  EXPECT_TRUE(is_corrupt("{}{}", "is not valid JSON"));
  EXPECT_TRUE(is_corrupt("{\"a\":1} x", "is not valid JSON"));
  EXPECT_TRUE(is_corrupt("{\"a\":1}}", "is not valid JSON"));
  EXPECT_TRUE(is_corrupt(std::string_view("{\"a\":1}\0", 8), "is not valid JSON"));
}

TEST(Json, RefusesAnotherRoot) {
  EXPECT_TRUE(is_corrupt("[1]", "is not an object"));
  EXPECT_TRUE(is_corrupt("\"a\"", "is not an object"));
  EXPECT_TRUE(is_corrupt("1", "is not an object"));
}

TEST(Json, RefusesNothingAtAll) {
  EXPECT_TRUE(is_corrupt("", "is empty"));
  EXPECT_TRUE(is_corrupt(" \n ", "is not valid JSON"));
}

TEST(Json, RefusesAByteOrderMark) { EXPECT_TRUE(is_corrupt("\xEF\xBB\xBF{}", "byte order mark")); }

TEST(Json, RefusesDuplicateKeysAtEveryDepth) {
  EXPECT_TRUE(is_corrupt(R"({"a":1,"b":2,"a":1})", "key \"a\" stands twice"));
  EXPECT_TRUE(is_corrupt(R"({"o":[{"k":1,"k":2}]})", "key \"k\" stands twice"));
  // The same key, spelled differently.
  EXPECT_TRUE(is_corrupt(R"({"hidden_size":1,"hidden\u005fsize":2})", "key \"hidden_size\" stands twice"));
}

std::string nested(int levels) {
  const auto inner = static_cast<std::size_t>(levels - 1);
  return "{\"a\":" + std::string(inner, '[') + std::string(inner, ']') + "}";
}

TEST(Json, BoundsTheDepth) {
  EXPECT_TRUE(parse(nested(kJsonDepth)).ok());
  EXPECT_TRUE(is_corrupt(nested(kJsonDepth + 1), "deeper than 64"));
  EXPECT_TRUE(is_corrupt(nested(1'000'000), "a.json"));
}

std::string many_values(Index count) {
  std::string text = "{\"a\":[0";
  for (Index i = 1; i < count; ++i) text += ",0";
  return text + "]}";
}

TEST(Json, BoundsTheValues) {
  EXPECT_TRUE(parse(many_values(kJsonValues - 1)).ok());  // the array itself is one
  EXPECT_TRUE(is_corrupt(many_values(kJsonValues), "more than 1000000 values"));
}

TEST(Json, BoundsTheFile) {
  const test::TempDir dir;
  const auto path = dir.write("config.json", "{}");
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(kJsonFileBytes) + 1);  // a sparse file
  EXPECT_TRUE(is_error(read_json_object(path).status(), StatusCode::corrupt_file,
                       {path.string(), "67108865 bytes", "at most 67108864"}));
}

TEST(Json, ReadsArraysWhereTheyAreAskedFor) {
  const test::TempDir dir;
  const auto array = read_json_array(dir.write("modules.json", R"([{"a":1},2])"));
  ASSERT_TRUE(array.ok()) << array.status().message();
  EXPECT_EQ(array->items.size(), 2u);
  EXPECT_TRUE(is_error(read_json_array(dir.write("o.json", "{}")).status(), StatusCode::corrupt_file,
                       {"o.json", "is not an array"}));
  EXPECT_TRUE(is_error(read_json_array(dir.write("t.json", "[1]]")).status(), StatusCode::corrupt_file, {"t.json"}));
  EXPECT_TRUE(is_error(read_json_array(dir.path() / "no.json").status(), StatusCode::not_found, {"no.json"}));
}

TEST(Json, VisitsMembersOneByOneAndStopsAtTheFirstError) {
  std::string seen;
  const auto visit = [&](std::string_view key, JsonValue&& value) {
    seen += std::string(key) + "=" + value.text + ";";
    return key == "bad" ? Status(StatusCode::internal, "stop") : Status();
  };
  EXPECT_TRUE(visit_json_object(R"({"a":1,"b":"x"})", "a.json", visit).ok());
  EXPECT_EQ(seen, "a=1;b=x;");
  EXPECT_TRUE(is_error(visit_json_object(R"({"bad":1,"b":2})", "a.json", visit), StatusCode::internal, {"stop"}));
  EXPECT_EQ(seen, "a=1;b=x;bad=1;");
  EXPECT_TRUE(is_error(visit_json_object(R"({"a":1}])", "a.json", visit), StatusCode::corrupt_file, {"not valid"}));
}

TEST(Json, DescribesValuesForMessages) {
  const auto root = parse(R"({"a":null,"b":true,"c":384.5,"d":"x\u001by","e":[1],"f":{}})");
  ASSERT_TRUE(root.ok());
  std::string all;
  for (const JsonValue& value : root->items) all += describe(value) + "; ";
  EXPECT_EQ(all, "null; true; the number 384.5; the string \"x\\x1by\"; an array; an object; ");
}

}  // namespace
}  // namespace quire::loader
