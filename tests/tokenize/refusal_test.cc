// SPDX-License-Identifier: Apache-2.0
//
// tokenizer.json as hostile input: what is broken or unknown is refused, naming file, key, value and what is allowed.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/support/is_error.h"
#include "tests/support/temp_dir.h"
#include "tests/tokenize/small_tokenizer.h"

namespace quire::tokenize {
namespace {

using test::is_error;
using test::kTokenizer;
using test::Members;
using test::object_with;
using test::parse;

using Fragments = std::initializer_list<std::string_view>;

// The small tokenizer with the section `name` replaced, refused.
testing::AssertionResult refuses(std::string_view name, std::string_view section, StatusCode code,
                                 Fragments fragments) {
  const Status status = parse(object_with(kTokenizer, name, section)).status();
  if (!status.message().starts_with("tokenizer.json: "))
    return testing::AssertionFailure() << "the file is not named: " << status.message();
  return is_error(status, code, fragments);
}

testing::AssertionResult corrupt(std::string_view name, std::string_view section, Fragments fragments) {
  return refuses(name, section, StatusCode::corrupt_file, fragments);
}

testing::AssertionResult unsupported(std::string_view name, std::string_view section, Fragments fragments) {
  return refuses(name, section, StatusCode::unsupported, fragments);
}

TEST(Refusals, TheTestsBeginFromAFileThatIsGood) { EXPECT_TRUE(parse(object_with(kTokenizer)).ok()); }

TEST(Refusals, Files) {
  const test::TempDir dir;
  EXPECT_TRUE(is_error(Tokenizer::open(dir.path()).status(), StatusCode::not_found, {"tokenizer.json"}));
  EXPECT_TRUE(
      is_error(Tokenizer::open(dir.path() / "absent").status(), StatusCode::not_found, {"absent/tokenizer.json"}));
  const auto file = dir.write("tokenizer.json", "");
  EXPECT_TRUE(is_error(Tokenizer::open(dir.path()).status(), StatusCode::corrupt_file, {"tokenizer.json: ", "JSON"}));
  dir.write("tokenizer.json", object_with(kTokenizer));
  EXPECT_TRUE(Tokenizer::open(dir.path()).ok());
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);  // a hole: takes no room
  EXPECT_TRUE(is_error(Tokenizer::open(dir.path()).status(), StatusCode::corrupt_file,
                       {"tokenizer.json: has 1099511627776 bytes, at most 134217728"}));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_TRUE(is_error(Tokenizer::open(dir.path()).status(), StatusCode::io_error, {"not a regular file"}));
  std::filesystem::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_TRUE(is_error(Tokenizer::open(dir.path()).status(), StatusCode::io_error, {"not a regular file"}));
}

TEST(Refusals, TextThatIsNotJson) {
  for (const char* text : {"", " ", "<html>", "{", "{\"model\":", "nul", "version https://git-lfs.github.com/spec/v1\n",
                           "\xEF\xBB\xBF", "{\"a\":\"\xFF\"}", "{\"a\":\"\\ud800\"}", "{} {}", "\x80\x04\x95"})
    EXPECT_TRUE(is_error(parse(text).status(), StatusCode::corrupt_file, {"tokenizer.json: is not valid JSON: "}))
        << text;
  EXPECT_TRUE(is_error(parse(std::string(1'000'000, '[')).status(), StatusCode::corrupt_file, {"not valid JSON"}));
  for (const char* text : {"[]", "1", "null", "\"text\""})
    EXPECT_TRUE(is_error(parse(text).status(), StatusCode::corrupt_file, {"tokenizer.json: is ", "must be an object"}))
        << text;
}

TEST(Refusals, EveryCutOfAGoodFile) {
  const std::string whole = object_with(kTokenizer);
  for (std::size_t size = 0; size < whole.size(); ++size)
    ASSERT_TRUE(is_error(parse(whole.substr(0, size)).status(), StatusCode::corrupt_file, {"tokenizer.json: "}))
        << size;
}

TEST(Refusals, TopLevel) {
  EXPECT_TRUE(corrupt("model", "", {"\"model\" is missing"}));
  EXPECT_TRUE(corrupt("model", "null", {"model: is null, must be an object"}));
  EXPECT_TRUE(corrupt("model", "[]", {"model: is an array, must be an object"}));
  EXPECT_TRUE(corrupt("version", "1", {"version: is 1, must be a string"}));
  EXPECT_TRUE(unsupported("version", "\"2.0\"", {"version: is \"2.0\"", "\"1.0\""}));
  EXPECT_TRUE(parse(object_with(kTokenizer, "version", "null")).ok());
  Members twice = kTokenizer;
  twice.emplace_back("version", "\"1.0\"");
  EXPECT_TRUE(is_error(parse(object_with(twice)).status(), StatusCode::corrupt_file, {"\"version\" stands twice"}));
}

TEST(Refusals, KindsThatAreNotThereAreNamed) {
  for (const char* kind : {"BPE", "Unigram", "WordLevel", "Transformer"})
    EXPECT_TRUE(unsupported("model", object_with(test::kWordPiece, "type", test::quoted(kind)),
                            {"model: type \"", kind, "WordPiece is"}));
  EXPECT_TRUE(unsupported("normalizer", R"({"type":"NFKC"})", {"normalizer: type \"NFKC\"", "BertNormalizer is"}));
  EXPECT_TRUE(unsupported("pre_tokenizer", R"({"type":"ByteLevel"})", {"pre_tokenizer: type \"ByteLevel\""}));
  EXPECT_TRUE(unsupported("post_processor", R"({"type":"RobertaProcessing"})",
                          {"post_processor: type \"RobertaProcessing\"", "TemplateProcessing"}));
  for (const char* section : {"model", "normalizer", "pre_tokenizer", "post_processor"}) {
    EXPECT_TRUE(corrupt(section, R"({"type":1})", {section, "type: is 1, must be a string"}));
    EXPECT_TRUE(corrupt(section, "[1]", {section, "must be an object"}));
    EXPECT_TRUE(corrupt(section, R"({"type":"x","type":"x"})", {section, "\"type\" stands twice"}));
  }
  for (const char* section : {"normalizer", "pre_tokenizer", "post_processor"})
    EXPECT_TRUE(corrupt(section, "{}", {section, "\"type\" is missing"}));
}

TEST(Refusals, ModelsWithoutTypeAreKnownByTheirKeys) {
  EXPECT_TRUE(parse(object_with(kTokenizer, "model", object_with(test::kWordPiece, "type"))).ok());
  EXPECT_TRUE(unsupported("model", R"({"vocab":{},"merges":[]})", {"type \"BPE\" (not named"}));
  EXPECT_TRUE(unsupported("model", R"({"vocab":[]})", {"type \"Unigram\""}));
  EXPECT_TRUE(unsupported("model", R"({"vocab":{}})", {"type \"WordLevel\""}));
}

TEST(Refusals, NormalizerFlags) {
  for (const char* flag : {"clean_text", "handle_chinese_chars", "lowercase"}) {
    EXPECT_TRUE(corrupt("normalizer", object_with(test::kBertNormalizer, flag), {"normalizer: key", flag, "missing"}));
    for (const char* value : {"1", "\"true\"", "null", "[]"})
      EXPECT_TRUE(
          corrupt("normalizer", object_with(test::kBertNormalizer, flag, value), {flag, "must be true or false"}));
  }
  EXPECT_TRUE(parse(object_with(kTokenizer, "normalizer", object_with(test::kBertNormalizer, "strip_accents"))).ok());
  EXPECT_TRUE(corrupt("normalizer", object_with(test::kBertNormalizer, "strip_accents", "0"),
                      {"normalizer.strip_accents: is 0, must be true or false"}));
}

testing::AssertionResult model_corrupt(std::string_view key, std::string_view value, Fragments fragments) {
  return corrupt("model", object_with(test::kWordPiece, key, value), fragments);
}

TEST(Refusals, WordPieceKeys) {
  for (const char* key : {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"})
    EXPECT_TRUE(model_corrupt(key, "", {"model: key", key, "is missing"}));
  EXPECT_TRUE(model_corrupt("unk_token", "null", {"model.unk_token: is null, must be a string"}));
  EXPECT_TRUE(model_corrupt("unk_token", "\"<unk>\"", {"model: unk_token \"<unk>\" is not in vocab"}));
  EXPECT_TRUE(model_corrupt("continuing_subword_prefix", "2", {"continuing_subword_prefix: is 2, must be a string"}));
  for (const char* value : {"-1", "1.5", "\"100\"", "9223372036854775808", "18446744073709551615", "1e3", "true"})
    EXPECT_TRUE(
        model_corrupt("max_input_chars_per_word", value, {"max_input_chars_per_word: is ", "must be an integer"}))
        << value;
}

TEST(Refusals, VocabularyWords) {
  EXPECT_TRUE(model_corrupt("vocab", "[]", {"model.vocab: is an array, must be an object"}));
  EXPECT_TRUE(model_corrupt("vocab", "{}", {"unk_token \"[UNK]\" is not in vocab"}));
  EXPECT_TRUE(model_corrupt("vocab", R"({"[UNK]":0,"x":1,"x":2})", {"model.vocab: the word \"x\" stands twice"}));
  EXPECT_TRUE(
      model_corrupt("vocab", R"({"[UNK]":0,"x":1,"y":1})", {"the id 1 belongs to two words", "\"x\"", "\"y\""}));
  for (const char* id : {"-1", "16777216", "4294967296", "9223372036854775808", "1e3", "1.0", "\"1\"", "null", "[]"})
    EXPECT_TRUE(model_corrupt("vocab", R"({"[UNK]":0,"w":)" + std::string(id) + "}",
                              {"model.vocab: the id of \"w\" must be an integer from 0 to 16777215"}))
        << id;
  const std::string longest(1024, 'x');
  const auto with_word = [](const std::string& word) {
    return object_with(test::kWordPiece, "vocab", R"({"[UNK]":0,"[CLS]":2,"[SEP]":3,")" + word + R"(":1})");
  };
  EXPECT_TRUE(parse(object_with(kTokenizer, "model", with_word(longest))).ok());
  EXPECT_TRUE(unsupported("model", with_word(longest + "x"), {"has 1025 bytes, at most 1024", "x...\""}));
}

TEST(Refusals, VocabulariesThatWouldFillTheMemory) {
  // 4,400 words of 1,000 bytes each that share nothing but their first bytes: 4.4 million nodes.
  std::string words = R"({"[UNK]":0)";
  for (int i = 1; i < 4'400; ++i) {
    const std::string head = std::to_string(100'000 + i);
    words.append(",\"").append(head).append(1000 - head.size(), 'x').append("\":").append(std::to_string(i));
  }
  EXPECT_TRUE(unsupported("model", object_with(test::kWordPiece, "vocab", words + "}"), {"too many different words"}));
}

testing::AssertionResult token_corrupt(std::string_view key, std::string_view value, Fragments fragments) {
  return corrupt("added_tokens", test::in_brackets(object_with(test::kAddedToken, key, value)), fragments);
}

TEST(Refusals, AddedTokens) {
  EXPECT_TRUE(corrupt("added_tokens", "{}", {"added_tokens: is an object, must be an array"}));
  EXPECT_TRUE(corrupt("added_tokens", "[1]", {"added_tokens[0]: is 1, must be an object"}));
  for (const auto& [key, value] : test::kAddedToken)
    EXPECT_TRUE(token_corrupt(key, "", {"added_tokens[0]: key", key, "is missing"}));
  for (const char* flag : {"single_word", "lstrip", "rstrip", "normalized", "special"})
    EXPECT_TRUE(token_corrupt(flag, "0", {"added_tokens[0].", flag, "is 0, must be true or false"}));
  EXPECT_TRUE(token_corrupt("content", "7", {"added_tokens[0].content: is 7, must be a string"}));
  for (const char* id : {"-1", "16777216", "18446744073709551616", "\"4\"", "null"})
    EXPECT_TRUE(token_corrupt("id", id, {"tokenizer.json: "})) << id;
  EXPECT_TRUE(
      unsupported("added_tokens",
                  test::in_brackets(object_with(test::kAddedToken, "content", test::quoted(std::string(1025, 'x')))),
                  {"content has 1025 bytes, at most 1024"}));
  EXPECT_TRUE(parse(object_with(kTokenizer, "added_tokens", "null")).ok());
}

// One added token, `normalized`.
std::string normalized_token(std::string_view content) {
  Members members = test::kAddedToken;
  for (auto& [name, value] : members) {
    if (name == "normalized") value = "true";
    if (name == "content") value = content;
  }
  return object_with(members);
}

TEST(Refusals, AddedTokensThatNormalisationBreaks) {
  EXPECT_TRUE(unsupported("added_tokens", test::in_brackets(normalized_token("\"\\u200b\"")),
                          {"is empty once it is normalised"}));
  EXPECT_TRUE(unsupported("added_tokens",
                          test::in_brackets(normalized_token("\"Tok\"") + "," + normalized_token("\"tók\"")),
                          {"\"tók\"", "the same as another one once it is normalised"}));
}

TEST(Refusals, AddedTokensThatWouldTakeAWordsId) {
  EXPECT_TRUE(corrupt("model", object_with(test::kWordPiece, "vocab", R"({"[UNK]":0,"[CLS]":1,"x":3})"),
                      {"added_tokens[0]: would get the id 3, which is the id of the word \"x\""}));
}

TEST(Refusals, TooManyAddedTokens) {
  std::string tokens = "[";
  for (int i = 0; i <= 100'000; ++i) tokens += i == 0 ? "0" : ",0";
  EXPECT_TRUE(unsupported("added_tokens", tokens + "]", {"has 100001 elements, at most 100000"}));
}

testing::AssertionResult template_corrupt(std::string_view key, std::string_view value, Fragments fragments) {
  return corrupt("post_processor", object_with(test::kTemplate, key, value), fragments);
}

TEST(Refusals, Templates) {
  for (const char* key : {"single", "pair", "special_tokens"}) {
    EXPECT_TRUE(template_corrupt(key, "", {"post_processor: key", key, "is missing"}));
    EXPECT_TRUE(template_corrupt(key, "1", {"post_processor.", key, "is 1, must be an "}));
  }
  const char* const kA = R"({"Sequence":{"id":"A","type_id":0}})";
  const auto single = [&](const std::string& piece) { return test::in_brackets(std::string(kA) + "," + piece); };
  EXPECT_TRUE(template_corrupt("single", single("{}"), {"post_processor.single[1]", "Sequence or SpecialToken"}));
  EXPECT_TRUE(template_corrupt("single", single("1"), {"single[1]: is 1, must be an object"}));
  EXPECT_TRUE(
      template_corrupt("single", single(R"({"Other":{"id":"A","type_id":0}})"), {"\"SpecialToken\" is missing"}));
  EXPECT_TRUE(template_corrupt(
      "single", single(R"({"Sequence":{"id":"A","type_id":0},"SpecialToken":{"id":"[SEP]","type_id":0}})"),
      {"one member"}));
  EXPECT_TRUE(template_corrupt("single", single(R"({"Sequence":{"id":"C","type_id":0}})"), {"id is \"C\", must be"}));
  EXPECT_TRUE(template_corrupt("single", single(R"({"SpecialToken":{"id":"[X]","type_id":0}})"),
                               {"id \"[X]\" is not in special_tokens"}));
  EXPECT_TRUE(
      template_corrupt("single", single(R"({"SpecialToken":{"id":"[SEP]","type_id":-1}})"), {"type_id: is -1"}));
  EXPECT_TRUE(template_corrupt("single", single(R"({"SpecialToken":{"id":"[SEP]","type_id":2147483648}})"),
                               {"type_id: is 2147483648, must be an integer from 0 to 2147483647"}));
  EXPECT_TRUE(template_corrupt("single", single(R"({"SpecialToken":{"id":"[SEP]","id":"[SEP]","type_id":0}})"),
                               {"\"id\" stands twice"}));
  const auto shape = [&](const char* key, const std::string& value) {
    return unsupported("post_processor", object_with(test::kTemplate, key, value), {key, "must name A once"});
  };
  EXPECT_TRUE(shape("single", "[]"));
  EXPECT_TRUE(shape("single", single(kA)));
  EXPECT_TRUE(shape("single", single(R"({"Sequence":{"id":"B","type_id":0}})")));
  EXPECT_TRUE(shape("pair", single(kA)));
  EXPECT_TRUE(shape("pair", test::in_brackets(kA)));
}

TEST(Refusals, SpecialTokensOfTemplates) {
  const auto sep = [](std::string_view ids) {
    return R"({"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":)" + std::string(ids) +
           "}}";
  };
  const auto refused = [&](std::string_view ids, Fragments fragments) {
    return template_corrupt("special_tokens", sep(ids), fragments);
  };
  EXPECT_TRUE(refused("[]", {"post_processor.special_tokens.[SEP].ids: is empty"}));
  EXPECT_TRUE(refused("3", {"[SEP].ids: is 3, must be an array"}));
  EXPECT_TRUE(refused("[-1]", {"ids[0]: is -1, must be an integer from 0"}));
  EXPECT_TRUE(refused("[4294967299]", {"ids[0]: is 4294967299"})) << "3 modulo 2^32";
  EXPECT_TRUE(refused("[21]", {"post_processor: names the token id 21"})) << "no such word";
  EXPECT_TRUE(
      template_corrupt("special_tokens", R"({"[CLS]":{"ids":[2]},"[CLS]":{"ids":[2]}})", {"\"[CLS]\" stands twice"}));
  EXPECT_TRUE(template_corrupt("special_tokens", R"({"a\u001b[2J\"":1})", {"special_tokens.a\\x1B[2J\\\": is 1"}))
      << "what stands in the file must not reach a terminal as it is";
}

TEST(Refusals, TemplatesThatWouldFillTheMemory) {
  std::string ids = "[3", names = R"({"[SEP]":{"ids":[3]})", pieces = R"([{"Sequence":{"id":"A","type_id":0}})";
  for (int i = 0; i < 1000; ++i) {
    ids += ",3";
    names.append(",\"").append(std::to_string(i)).append("\":{\"ids\":[3]}");
    pieces += R"(,{"SpecialToken":{"id":"[SEP]","type_id":0}})";
  }
  const auto refused = [](const char* key, const std::string& value, Fragments fragments) {
    return unsupported("post_processor", object_with(test::kTemplate, key, value), fragments);
  };
  EXPECT_TRUE(refused("special_tokens", R"({"[SEP]":{"ids":)" + ids + "]}}", {"ids: has 1001 elements, at most 1000"}));
  EXPECT_TRUE(refused("special_tokens", names + "}", {"special_tokens: has 1001 members, at most 1000"}));
  EXPECT_TRUE(
      parse(object_with(kTokenizer, "post_processor", object_with(test::kTemplate, "single", pieces + "]"))).ok());
  pieces += R"(,{"SpecialToken":{"id":"[SEP]","type_id":0}}])";
  EXPECT_TRUE(refused("single", pieces, {"single: has 1001 special tokens, at most 1000"}));
}

TEST(Refusals, BertProcessing) {
  const auto refused = [](const std::string& sep, Fragments fragments) {
    return corrupt("post_processor", R"({"type":"BertProcessing","cls":["[CLS]",2],"sep":)" + sep + "}", fragments);
  };
  EXPECT_TRUE(refused("3", {"post_processor.sep: is 3, must be an array"}));
  EXPECT_TRUE(refused("[\"[SEP]\"]", {"sep: must be [token, id]"}));
  EXPECT_TRUE(refused("[3,\"[SEP]\"]", {"sep[0]: is 3, must be a string"}));
  EXPECT_TRUE(refused("[\"[SEP]\",-3]", {"sep[1]: is -3"}));
  EXPECT_TRUE(refused("[\"[SEP]\",99]", {"names the token id 99"}));
  EXPECT_TRUE(corrupt("post_processor", R"({"type":"BertProcessing","cls":["[CLS]",2]})", {"\"sep\" is missing"}));
}

}  // namespace
}  // namespace quire::tokenize
