// SPDX-License-Identifier: Apache-2.0
//
// The texts of one run: those of --text first, in their order, then the lines of --input (or of standard input).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/lines.h"
#include "quire/encoder.h"
#include "quire/status.h"

namespace quire::cli {

struct Item {
  std::string text;
  std::optional<std::vector<std::int32_t>> ids;  // instead of the text
  std::string id;                                // JSON, as it stood in the input; empty: none
  Status status;                                 // not ok: the line could not be understood

  Input input() const;
};

enum class InputFormat { lines, jsonl };

// One line of JSONL: an object with "text" (a string) or "ids" (whole numbers), and an optional "id" (a string or a
// number). Other keys are ignored.
class JsonLineParser {
 public:
  JsonLineParser();
  ~JsonLineParser();
  JsonLineParser(JsonLineParser&&) noexcept;
  Item parse(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class ItemSource {
 public:
  // `path` empty: no file. A file named *.jsonl is JSONL where `format` does not say otherwise.
  static Result<ItemSource> open(std::vector<std::string> texts, const std::string& path,
                                 std::optional<InputFormat> format);

  // The next items, until about kBatchBytes of text or kBatchItems are there. Empty at the end.
  Result<std::vector<Item>> next_batch();

 private:
  ItemSource() = default;
  Result<bool> next(Item& item);

  std::deque<std::string> texts_;
  std::optional<LineReader> reader_;
  InputFormat format_ = InputFormat::lines;
  JsonLineParser json_;
  std::string line_;
  std::int64_t line_number_ = 0;
};

}  // namespace quire::cli
