// SPDX-License-Identifier: Apache-2.0
//
// A small tokenizer.json as text, whole or with one member changed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quire::test {

// Members of a JSON object: names and values as they stand in the text.
using Members = std::vector<std::pair<std::string, std::string>>;

inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  out.append(text).append("\"");
  return out;
}

inline std::string in_brackets(std::string_view items) {
  std::string out = "[";
  out.append(items).append("]");
  return out;
}

// `members` with `key` set to `value`, or without it where `value` is empty; as JSON.
inline std::string object_with(Members members, std::string_view key = "", std::string_view value = "") {
  std::erase_if(members, [&](const auto& member) { return member.first == key; });
  if (!value.empty()) members.emplace_back(key, value);
  std::string text = "{";
  for (const auto& [name, content] : members) {
    if (text.size() > 1) text += ",\n";
    text.append("\"").append(name).append("\": ").append(content);
  }
  return text + "}";
}

inline const Members kBertNormalizer = {{"type", "\"BertNormalizer\""},
                                        {"clean_text", "true"},
                                        {"handle_chinese_chars", "true"},
                                        {"strip_accents", "null"},
                                        {"lowercase", "true"}};

inline const Members kWordPiece = {
    {"type", "\"WordPiece\""},
    {"unk_token", "\"[UNK]\""},
    {"continuing_subword_prefix", "\"##\""},
    {"max_input_chars_per_word", "100"},
    {"vocab",
     R"({"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"[MASK]":4,"a":5,"b":6,"c":7,"ab":8,"##b":9,"##c":10,"##bc":11,
     "hello":12,"world":13,"##s":14,"!":15,"é":16,"中":17,"A":18,"d":19,"##d":20})"}};

inline const Members kTemplate = {
    {"type", "\"TemplateProcessing\""},
    {"single", R"([{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
     {"SpecialToken":{"id":"[SEP]","type_id":0}}])"},
    {"pair", R"([{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
     {"SpecialToken":{"id":"[SEP]","type_id":0}},{"Sequence":{"id":"B","type_id":1}},
     {"SpecialToken":{"id":"[SEP]","type_id":1}}])"},
    {"special_tokens", R"({"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},
     "[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}})"}};

inline const Members kAddedToken = {{"id", "4"},         {"content", "\"[MASK]\""}, {"single_word", "false"},
                                    {"lstrip", "false"}, {"rstrip", "false"},       {"normalized", "false"},
                                    {"special", "true"}};

inline const Members kTokenizer = {{"version", "\"1.0\""},
                                   {"truncation", "null"},
                                   {"padding", "null"},
                                   {"added_tokens", in_brackets(object_with(kAddedToken))},
                                   {"normalizer", object_with(kBertNormalizer)},
                                   {"pre_tokenizer", R"({"type":"BertPreTokenizer"})"},
                                   {"post_processor", object_with(kTemplate)},
                                   {"decoder", "null"},
                                   {"model", object_with(kWordPiece)}};

}  // namespace quire::test
