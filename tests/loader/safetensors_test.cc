// SPDX-License-Identifier: Apache-2.0
#include "loader/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/is_error.h"
#include "tests/support/safetensors_writer.h"

namespace quire::loader {
namespace {

using test::is_error;
using test::safetensors_file;
using test::SafetensorsWriter;

Result<std::vector<TensorView>> parse(std::string_view file) {
  return parse_safetensors(std::as_bytes(std::span(file)), "m.safetensors");
}

testing::AssertionResult is_corrupt(std::string_view file, std::initializer_list<std::string_view> facts) {
  const auto named = is_error(parse(file).status(), StatusCode::corrupt_file, {"m.safetensors: "});
  return named ? is_error(parse(file).status(), StatusCode::corrupt_file, facts) : named;
}

// A file of one tensor "t" with the given members, and `bytes` bytes of data.
std::string one_tensor(std::string_view members, std::size_t bytes = 4) {
  return safetensors_file("{\"t\":{" + std::string(members) + "}}", std::string(bytes, '\0'));
}

std::string with_length(std::uint64_t length, std::string_view rest) {
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, 8);
  return file.append(rest);
}

TEST(Safetensors, GivesViewsInTheOrderOfNames) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const std::int64_t ids[] = {7};
  const std::string file = SafetensorsWriter().add_f32("b", {2, 3}, values).add_i64("a", {1}, ids).file();
  const auto tensors = parse(file);
  ASSERT_TRUE(tensors.ok()) << tensors.status().message();
  ASSERT_EQ(tensors->size(), 2u);
  EXPECT_EQ((*tensors)[0].name, "a");
  EXPECT_EQ((*tensors)[0].dtype, DType::i64);
  const TensorView& b = (*tensors)[1];
  EXPECT_EQ(b.dtype, DType::f32);
  EXPECT_EQ(b.dtype_name, "F32");
  EXPECT_EQ(b.shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(b.elements(), 6);
  EXPECT_EQ(b.bytes, 24);
  EXPECT_EQ(std::memcmp(b.data, values, sizeof values), 0);
}

TEST(Safetensors, TakesWhatTheFormatAllows) {
  EXPECT_TRUE(parse(safetensors_file("{}", "")).ok());
  EXPECT_TRUE(parse(safetensors_file("{}     ", "")).ok());
  EXPECT_TRUE(parse(safetensors_file(R"({"__metadata__":{"format":"pt"}})", "")).ok());
  EXPECT_TRUE(parse(one_tensor(R"("dtype":"F32","shape":[],"data_offsets":[0,4])")).ok());
  EXPECT_TRUE(parse(one_tensor(R"("dtype":"F32","shape":[0,7],"data_offsets":[0,0])", 0)).ok());
  // Members in another order; a member that the reference reader ignores too.
  EXPECT_TRUE(parse(one_tensor(R"("data_offsets":[0,4],"shape":[4],"note":[{}],"dtype":"U8")")).ok());
}

TEST(Safetensors, KnowsTheSizeOfEveryDtype) {
  struct Case {
    const char* name;
    Index bytes_of_eight;
  };
  for (const Case& c :
       {Case{"F32", 32},    {"F16", 16},    {"BF16", 16},   {"I64", 64},    {"I32", 32},    {"I16", 16},
        {"I8", 8},          {"U8", 8},      {"BOOL", 8},    {"F64", 64},    {"U16", 16},    {"U32", 32},
        {"U64", 64},        {"C64", 64},    {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
        {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4}}) {
    const auto bytes = static_cast<std::size_t>(c.bytes_of_eight);
    const auto tensors = parse(SafetensorsWriter().add("t", c.name, {2, 4}, std::string(bytes, '\0')).file());
    ASSERT_TRUE(tensors.ok()) << tensors.status().message();
    EXPECT_EQ((*tensors)[0].dtype_name, c.name);
    EXPECT_TRUE(is_corrupt(SafetensorsWriter().add("t", c.name, {2, 4}, std::string(bytes + 1, '\0')).file(),
                           {"tensor \"t\"", c.name, "takes " + std::to_string(bytes) + " bytes"}));
  }
}

TEST(Safetensors, NamesDtypes) {
  EXPECT_EQ(to_string(DType::bf16), "BF16");
  EXPECT_EQ(to_string(DType::boolean), "BOOL");
  EXPECT_EQ(to_string(DType::other), "other");
}

TEST(Safetensors, ChecksTheHeaderLength) {
  EXPECT_TRUE(is_corrupt("", {"is empty"}));
  EXPECT_TRUE(is_corrupt(std::string(7, '\0'), {"it has 7 bytes"}));
  EXPECT_TRUE(is_corrupt(with_length(0, ""), {"does not begin with '{'"}));
  EXPECT_TRUE(is_corrupt(with_length(3, "{}"), {"header length 3", "only 2 bytes follow"}));
  EXPECT_TRUE(is_corrupt(with_length(100'000'000, "{}"), {"header length 100000000", "only 2 bytes follow"}));
  EXPECT_TRUE(is_corrupt(with_length(100'000'001, "{}"), {"header length 100000001, at most 100000000"}));
  EXPECT_TRUE(is_corrupt(with_length(std::uint64_t{1} << 63, "{}"), {"header length 9223372036854775808"}));
  EXPECT_TRUE(is_corrupt(with_length(~std::uint64_t{0}, "{}"), {"header length 18446744073709551615"}));
  EXPECT_TRUE(is_corrupt(with_length(~std::uint64_t{0} - 7, "{}"), {"header length 18446744073709551608"}));
}

TEST(Safetensors, ChecksTheJson) {
  EXPECT_TRUE(is_corrupt(safetensors_file("[]", ""), {"does not begin with '{'"}));
  EXPECT_TRUE(is_corrupt(safetensors_file(" {}", ""), {"does not begin with '{'"}));
  EXPECT_TRUE(is_corrupt(safetensors_file("{", ""), {"header", "not valid JSON"}));
  EXPECT_TRUE(is_corrupt(safetensors_file("{}x", ""), {"header", "not valid JSON"}));
  EXPECT_TRUE(is_corrupt(safetensors_file(std::string_view("{}\0", 3), ""), {"header", "not valid JSON"}));
  EXPECT_TRUE(is_corrupt(safetensors_file("{\"\xFF\":1}", ""), {"header", "not valid JSON"}));
  EXPECT_TRUE(is_corrupt(safetensors_file("{\"t\":" + std::string(10'000, '['), ""), {"header"}));
}

TEST(Safetensors, ChecksTheMetadata) {
  EXPECT_TRUE(is_corrupt(safetensors_file(R"({"__metadata__":[]})", ""), {"\"__metadata__\" is an array"}));
  EXPECT_TRUE(is_corrupt(safetensors_file(R"({"__metadata__":{"a":1}})", ""), {"\"a\" is the number 1"}));
  EXPECT_TRUE(is_corrupt(safetensors_file(R"({"__metadata__":{"a":"1","a":"2"}})", ""), {"\"a\" stands twice"}));
  EXPECT_TRUE(is_corrupt(safetensors_file(R"({"__metadata__":{},"__metadata__":{}})", ""), {"stands twice"}));
}

TEST(Safetensors, ChecksEachMember) {
  const char* shape = R"("shape":[1],"data_offsets":[0,4])";
  EXPECT_TRUE(is_corrupt(safetensors_file(R"({"t":1})", ""), {"tensor \"t\" is the number 1"}));
  EXPECT_TRUE(is_corrupt(one_tensor(shape), {"tensor \"t\"", "\"dtype\" is missing"}));
  EXPECT_TRUE(is_corrupt(one_tensor(R"("dtype":1,)" + std::string(shape)), {"\"dtype\" is the number 1"}));
  EXPECT_TRUE(is_error(parse(one_tensor(R"("dtype":"F33",)" + std::string(shape))).status(), StatusCode::unsupported,
                       {"m.safetensors", "tensor \"t\"", "unknown dtype \"F33\""}));
  EXPECT_TRUE(is_corrupt(one_tensor(R"("dtype":"F32","data_offsets":[0,4])"), {"\"shape\" is missing"}));
  EXPECT_TRUE(is_corrupt(one_tensor(R"("dtype":"F32","shape":4,"data_offsets":[0,4])"), {"\"shape\" is the number 4"}));
  EXPECT_TRUE(is_corrupt(one_tensor(R"("dtype":"F32","shape":[1])"), {"\"data_offsets\" is missing"}));
  EXPECT_TRUE(is_corrupt(one_tensor(R"("dtype":"F32","dtype":"F32",)" + std::string(shape)), {"stands twice"}));
}

TEST(Safetensors, ChecksEachExtent) {
  for (const char* extent : {"-1", "-0", "1.0", "1e0", "\"1\"", "null", "true", "[1]", "9223372036854775808",
                             "18446744073709551617", "1000000000000000000000"})
    EXPECT_TRUE(is_corrupt(one_tensor(R"("dtype":"F32","shape":[)" + std::string(extent) + R"(],"data_offsets":[0,4])"),
                           {"tensor \"t\"", "\"shape\" holds", "wanted whole numbers"}))
        << extent;
}

TEST(Safetensors, MultipliesWithoutOverflow) {
  // 2^62 * 4 bytes is 0 mod 2^64, 2^63 * 2 wraps to 0, 2^32 * 2^32 too.
  for (const char* shape : {"4611686018427387904", "4294967296,4294967296", "9223372036854775807,3",
                            "4294967297,4294967295,4294967297", "9223372036854775807,9223372036854775807,0"})
    EXPECT_TRUE(
        is_corrupt(one_tensor(R"("dtype":"F32","shape":[)" + std::string(shape) + R"(],"data_offsets":[0,0])", 0),
                   {"tensor \"t\"", "more bits than can be counted"}))
        << shape;
}

TEST(Safetensors, ChecksPackedDtypesForWholeBytes) {
  EXPECT_TRUE(is_corrupt(one_tensor(R"("dtype":"F4","shape":[3],"data_offsets":[0,2])", 2), {"whole byte"}));
  EXPECT_TRUE(parse(one_tensor(R"("dtype":"F4","shape":[4],"data_offsets":[0,2])", 2)).ok());
}

TEST(Safetensors, ChecksTheOffsets) {
  const auto with_offsets = [](std::string_view offsets) {
    return one_tensor(R"("dtype":"F32","shape":[1],"data_offsets":)" + std::string(offsets));
  };
  for (const char* offsets : {"[]", "[0]", "[0,4,4]", "[0.0,4]", "[-4,0]", "[\"0\",4]", "4", "{}", "null",
                              "[0,9223372036854775808]", "[0,18446744073709551616]"})
    EXPECT_TRUE(is_corrupt(with_offsets(offsets), {"tensor \"t\"", "\"data_offsets\"", "wanted [begin, end]"}))
        << offsets;
  EXPECT_TRUE(is_corrupt(with_offsets("[4,0]"), {"[4, 0] run backwards"}));
  EXPECT_TRUE(is_corrupt(with_offsets("[0,5]"), {"[0, 5] reach beyond the 4 bytes"}));
  EXPECT_TRUE(is_corrupt(with_offsets("[9223372036854775803,9223372036854775807]"), {"reach beyond the 4 bytes"}));
  EXPECT_TRUE(is_corrupt(with_offsets("[0,3]"), {"F32 [1] takes 4 bytes, data_offsets give 3"}));
}

// Two tensors of U8 with these offsets in `bytes` bytes of data.
std::string two_tensors(Index a_begin, Index a_end, Index b_begin, Index b_end, std::size_t bytes) {
  const auto entry = [](Index begin, Index end) {
    return R"({"dtype":"U8","shape":[)" + std::to_string(end - begin) + R"(],"data_offsets":[)" +
           std::to_string(begin) + "," + std::to_string(end) + "]}";
  };
  return safetensors_file("{\"a\":" + entry(a_begin, a_end) + ",\"b\":" + entry(b_begin, b_end) + "}",
                          std::string(bytes, '\0'));
}

TEST(Safetensors, DemandsThatTensorsCoverTheData) {
  EXPECT_TRUE(parse(two_tensors(0, 4, 4, 8, 8)).ok());
  EXPECT_TRUE(parse(two_tensors(4, 8, 0, 4, 8)).ok());
  EXPECT_TRUE(parse(two_tensors(4, 4, 0, 4, 4)).ok());
  EXPECT_TRUE(is_corrupt(two_tensors(0, 4, 3, 8, 8), {"tensor \"b\" begins at data offset 3", "ends at 4"}));
  EXPECT_TRUE(is_corrupt(two_tensors(0, 8, 0, 8, 8), {"begins at data offset 0", "ends at 8"}));
  EXPECT_TRUE(is_corrupt(two_tensors(0, 8, 2, 4, 8), {"tensor \"b\" begins at data offset 2"}));
  EXPECT_TRUE(is_corrupt(two_tensors(0, 4, 5, 8, 8), {"tensor \"b\" begins at data offset 5", "end at 4"}));
  EXPECT_TRUE(is_corrupt(two_tensors(1, 4, 4, 8, 8), {"tensor \"a\" begins at data offset 1", "end at 0"}));
  EXPECT_TRUE(is_corrupt(two_tensors(0, 4, 4, 8, 9), {"end at data offset 8", "9 bytes"}));
  EXPECT_TRUE(is_corrupt(safetensors_file("{}", "x"), {"end at data offset 0", "1 bytes"}));
}

TEST(Safetensors, RefusesATensorThatStandsTwice) {
  const std::string entry = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_TRUE(is_corrupt(safetensors_file("{\"t\":" + entry + ",\"u\":" + entry + ",\"t\":" + entry + "}", ""),
                         {"tensor \"t\" stands twice"}));
  EXPECT_TRUE(is_corrupt(safetensors_file("{\"t\":" + entry + ",\"\\u0074\":" + entry + "}", ""), {"stands twice"}));
}

TEST(Safetensors, RefusesEveryCutOfAFile) {
  const float values[] = {1, 2, 3};
  const std::string file = SafetensorsWriter().add_f32("a", {3}, values).add_f16("b", {1, 3}, values).file();
  ASSERT_TRUE(parse(file).ok());
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_TRUE(is_corrupt(std::string_view(file).substr(0, size), {})) << size;
  EXPECT_TRUE(is_corrupt(file + "x", {"the file holds"}));
}

TEST(Safetensors, SaysWhatTheFileIsInstead) {
  EXPECT_TRUE(is_corrupt("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 90868376\n",
                         {"Git LFS pointer", "`git lfs pull`"}));
  EXPECT_TRUE(is_corrupt(std::string_view("PK\x03\x04\x14\0\0\0\0\0", 10), {"zip archive"}));
  EXPECT_TRUE(is_corrupt("\x80\x02\x8a\nl\xfc\x9c\x46\xf9", {"pickle"}));
  EXPECT_TRUE(is_corrupt(std::string_view("GGUF\x03\0\0\0\0\0", 10), {"GGUF"}));
  EXPECT_TRUE(is_corrupt("<!DOCTYPE html><html>", {"HTML page"}));
  EXPECT_TRUE(is_corrupt("<html><body>404", {"HTML page"}));
  EXPECT_TRUE(is_corrupt("\x89HDF\r\n\x1a\n0000", {"HDF5"}));
  EXPECT_TRUE(is_corrupt("\x93NUMPY\x01\x01", {"NumPy"}));
  EXPECT_TRUE(is_corrupt("\x1f\x8b\x08\x01\x01\x01\x01\x01\x01", {"gzip"}));
  EXPECT_TRUE(is_corrupt("{\"error\":\"Not found\"}", {"looks like JSON"}));
}

TEST(Safetensors, KeepsHostileNamesOutOfMessages) {
  const std::string file = safetensors_file(R"({"\u001b[31m\n)" + std::string(5000, 'x') + R"(":1})", "");
  EXPECT_TRUE(is_corrupt(file, {"tensor \"\\x1b[31m\\x0axxx", "...\" is the number 1"}));
  EXPECT_LT(parse(file).status().message().size(), 300u);
}

}  // namespace
}  // namespace quire::loader
