// SPDX-License-Identifier: Apache-2.0
//
// tokenizer.json and text as hostile input. Up to the first NUL the input is tokenizer.json, what follows is a text for
// it and for a tokenizer that is sound. Without NUL the input is both.
#include <algorithm>
#include <array>
#include <string_view>

#include "tests/fuzz/fuzz_target.h"
#include "tests/tokenize/tokenizer_json.h"
#include "tokenize/tokenizer.h"
#include "tokenize/utf8.h"

namespace quire::test {
namespace {

using tokenize::Encoding;
using tokenize::Tokenizer;

bool at_character(std::string_view text, std::size_t at) {
  return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

bool same(const Encoding& a, const Encoding& b) {
  return a.ids == b.ids && a.type_ids == b.type_ids && a.offsets == b.offsets && a.sequence_ids == b.sequence_ids &&
         a.special == b.special;
}

void check_encoding(const Tokenizer& tokenizer, const std::array<std::string_view, 2>& texts,
                    const Encoding& encoding) {
  const std::size_t size = encoding.ids.size();
  fuzz_require(encoding.type_ids.size() == size && encoding.offsets.size() == size &&
                   encoding.sequence_ids.size() == size && encoding.special.size() == size,
               "arrays have one length");
  for (std::size_t i = 0; i < size; ++i) {
    fuzz_require(tokenizer.token(encoding.ids[i]).has_value(), "every id has a token");
    fuzz_require(encoding.ids[i] < tokenizer.vocabulary_size(), "ids are below vocabulary_size");
    const auto [begin, end] = encoding.offsets[i];
    const int sequence = encoding.sequence_ids[i];
    fuzz_require(encoding.special[i] == (sequence < 0 ? 1 : 0), "special tokens stand for no text");
    if (sequence < 0) {
      fuzz_require(begin == 0 && end == 0, "special tokens have no place");
      continue;
    }
    const std::string_view text = texts[static_cast<std::size_t>(sequence)];
    fuzz_require(begin < end && end <= text.size(), "tokens lie in their text");
    fuzz_require(at_character(text, begin) && at_character(text, end), "tokens are whole characters");
  }
}

void check_truncation(const Tokenizer& tokenizer, std::string_view text, const Encoding& whole) {
  const Index special = tokenizer.special_tokens_added(false);
  const auto size = static_cast<Index>(whole.ids.size());
  const Index limit = special + (size - special) / 2;
  Encoding cut;
  bool truncated = false;
  const Status refused = tokenizer.encode(text, {.max_tokens = limit}, cut);
  const Status status = tokenizer.encode(text, {.max_tokens = limit, .truncate = true}, cut, &truncated);
  if (limit == 0) return;  // no limit
  fuzz_require(refused.ok() == (size <= limit), "too many tokens are refused");
  fuzz_require(refused.ok() || refused.code() == StatusCode::too_long, "too_long says so");
  fuzz_require(status.ok() && static_cast<Index>(cut.ids.size()) == std::min(size, limit),
               "truncation fills the limit");
  fuzz_require(truncated == (size > limit), "truncation is reported");
}

void check_encode(const Tokenizer& tokenizer, std::string_view text) {
  const bool valid = tokenize::first_invalid_utf8(text) == text.size();
  Encoding encoding, again;
  const Status status = tokenizer.encode(text, {}, encoding);
  fuzz_require(status.ok() == valid, "every valid text is taken and no other");
  fuzz_require(valid || status.code() == StatusCode::invalid_argument, "invalid_argument for invalid text");
  if (!valid) return;
  check_encoding(tokenizer, {text, {}}, encoding);
  fuzz_require(tokenizer.encode(text, {}, again).ok() && same(encoding, again), "the same text gives the same tokens");
  check_truncation(tokenizer, text, encoding);
  fuzz_require(tokenizer.encode_pair(text, "ab [SEP]", {.match_special_tokens = false}, encoding).ok(), "pairs work");
  check_encoding(tokenizer, {text, "ab [SEP]"}, encoding);
}

void check_file(std::string_view json, std::string_view text) {
  const Result<Tokenizer> tokenizer = Tokenizer::parse(json, "fuzz.json");
  if (tokenizer.ok()) {
    check_encode(*tokenizer, text);
    check_encode(*tokenizer, "hello [MASK] 中\u00E9 ab");
    return;
  }
  const Status status = tokenizer.status();
  fuzz_require(status.code() == StatusCode::corrupt_file || status.code() == StatusCode::unsupported,
               "a code that fits");
  fuzz_require(status.message().starts_with("fuzz.json: "), "messages name the file");
  fuzz_require(status.message().size() < 1000, "messages stay short");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  fuzz_require(std::none_of(status.message().begin(), status.message().end(), control), "messages are one plain line");
}

constexpr std::string_view kPlainNormalizer =
    R"({"type":"BertNormalizer","clean_text":false,"handle_chinese_chars":false,
        "strip_accents":true,"lowercase":true})";

// Added tokens of every kind, one of them white space.
std::string many_tokens() {
  std::string list;
  const char* const contents[] = {"\"<x>\"", "\"Ab\"", "\" \"", "\"<x\"", "\"[SEP]\"", "\"中\""};
  for (std::size_t i = 0; i < std::size(contents); ++i) {
    Members members = kAddedToken;
    for (auto& [name, value] : members) {
      if (name == "content") value = contents[i];
      if (name == "lstrip") value = i % 2 == 0 ? "true" : "false";
      if (name == "rstrip") value = i / 2 % 2 == 0 ? "true" : "false";
      if (name == "single_word") value = i % 3 == 1 ? "true" : "false";
      if (name == "normalized") value = i % 3 == 2 ? "true" : "false";
    }
    list.append(i == 0 ? "" : ",").append(object_with(members));
  }
  return in_brackets(list);
}

std::vector<std::string> sound_files() {
  return {object_with(kTokenizer), object_with(kTokenizer, "normalizer", kPlainNormalizer),
          object_with(kTokenizer, "normalizer", "null"), object_with(kTokenizer, "pre_tokenizer", "null"),
          object_with(kTokenizer, "added_tokens", many_tokens())};
}

const std::vector<Tokenizer>& sound_tokenizers() {
  static const std::vector<Tokenizer> tokenizers = [] {
    std::vector<Tokenizer> all;
    for (const std::string& file : sound_files()) {
      Result<Tokenizer> tokenizer = Tokenizer::parse(file, "sound.json");
      fuzz_require(tokenizer.ok(), "sound files are taken");
      all.push_back(std::move(tokenizer).value());
    }
    return all;
  }();
  return tokenizers;
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  using namespace std::string_literals;
  std::vector<std::string> seeds = {"", "{}", "[]"};
  for (const std::string& file : sound_files()) seeds.push_back(file + "\0hello <x> [MASK]  ab\u0301\u0323中"s);
  seeds.push_back(
      object_with(kTokenizer, "post_processor", R"({"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]})"));
  seeds.push_back(object_with(kTokenizer, "model", object_with(kWordPiece, "type")));
  for (const char* text : {"hello world! abc cbc", "É中\u200B文 한국 İ ΣΑΣ \u1E69\u0323 a\u0345\u0334b",
                           " [SEP][MASK]  <x> <x> AB ab \u3000<x", "😀\U0002B820\U0002B920\uFFFD\u00AD\u0085"})
    seeds.emplace_back(text);
  return seeds;
}

std::vector<std::string> fuzz_words() {
  return {"\"type\":",
          "\"BertNormalizer\"",
          "\"WordPiece\"",
          "\"TemplateProcessing\"",
          "\"BPE\"",
          "null",
          "true",
          "false",
          "[",
          "]",
          "{",
          "}",
          ",",
          ":",
          "\"",
          "\\",
          "0",
          "-1",
          "1e9",
          "0.5",
          "16777216",
          "4294967296",
          "\"ids\":[2]",
          "\"lstrip\":",
          "\"[UNK]\":",
          "\\u0000",
          "\\ud800",
          "[MASK]",
          "<x>",
          "ab",
          " ",
          "\u3000",
          "\u0301",
          "\u0345",
          "\u0334",
          "\u0F73",
          "İ",
          "中",
          "한",
          "\xF0\x9F",
          "\xED\xA0\x80",
          std::string(1, '\0'),
          "\"content\":\"\"",
          "\"normalized\":true",
          "\"vocab\":{}",
          "\"\":1,"};
}

}  // namespace quire::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\0');
  const std::string_view text = end == std::string_view::npos ? input : input.substr(end + 1);
  quire::test::check_file(input.substr(0, end), text);
  const auto& tokenizers = quire::test::sound_tokenizers();
  quire::test::check_encode(tokenizers[size % tokenizers.size()], text);
  return 0;
}
