// SPDX-License-Identifier: Apache-2.0
#include "cli/items.h"

#include <iterator>
#include <utility>

namespace quire::cli {
namespace {

// Enough texts for batches of nearly equal lengths, little enough that a huge file is never held.
constexpr std::size_t kBatchItems = 1024;
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;

}  // namespace

Input Item::input() const {
  Input input;
  if (ids)
    input.ids = std::span<const std::int32_t>(*ids);
  else
    input.text = text;
  return input;
}

Result<ItemSource> ItemSource::open(std::vector<std::string> texts, const std::string& path,
                                    std::optional<InputFormat> format) {
  ItemSource source;
  source.texts_.assign(std::make_move_iterator(texts.begin()), std::make_move_iterator(texts.end()));
  source.format_ = format.value_or(path.ends_with(".jsonl") ? InputFormat::jsonl : InputFormat::lines);
  if (path.empty()) return source;
  Result<LineReader> reader = LineReader::open(path);
  if (!reader.ok()) return reader.status();
  source.reader_ = std::move(reader).value();
  return source;
}

Result<bool> ItemSource::next(Item& item) {
  if (!texts_.empty()) {
    item.text = std::move(texts_.front());
    texts_.pop_front();
    return true;
  }
  if (!reader_) return false;
  const Result<LineKind> kind = reader_->next(line_);
  if (!kind.ok()) return kind.status();
  if (*kind == LineKind::end) return false;
  ++line_number_;
  if (*kind == LineKind::too_long)
    item.status = {StatusCode::invalid_argument,
                   "a line longer than " + std::to_string(kLongestLine) + " bytes can not be one text"};
  else if (format_ == InputFormat::jsonl)
    item = json_.parse(line_);
  else
    item.text = line_;
  if (!item.status.ok())
    item.status = {item.status.code(), "line " + std::to_string(line_number_) + ": " + item.status.message()};
  return true;
}

Result<std::vector<Item>> ItemSource::next_batch() {
  std::vector<Item> batch;
  std::size_t bytes = 0;
  while (batch.size() < kBatchItems && bytes < kBatchBytes) {
    Item item;
    const Result<bool> more = next(item);
    if (!more.ok()) return more.status();
    if (!*more) break;
    bytes += item.text.size() + (item.ids ? item.ids->size() * sizeof(std::int32_t) : 0);
    batch.push_back(std::move(item));
  }
  return batch;
}

}  // namespace quire::cli
