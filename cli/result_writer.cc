// SPDX-License-Identifier: Apache-2.0
#include "cli/result_writer.h"

#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "cli/json_write.h"
#include "cli/report.h"

namespace quire::cli {
namespace {

class JsonlWriter final : public ResultWriter {
 public:
  explicit JsonlWriter(Output output) : output_(std::move(output)) {}

  Status add(std::size_t index, const Item& item, const Embedding& embedding) override {
    line_.clear();
    if (!embedding.status.ok())
      append_error_line(line_, index, item.id, embedding.status);
    else
      append_embedding(index, item, embedding);
    return output_.write(line_);
  }
  Status end_batch() override { return output_.flush(); }
  Status finish() override { return output_.close(); }

 private:
  void append_embedding(std::size_t index, const Item& item, const Embedding& embedding) {
    append_line_start(line_, index, item.id);
    line_ += ",\"tokens\":";
    append_json_int(line_, embedding.tokens);
    line_ += embedding.truncated ? ",\"truncated\":true" : ",\"truncated\":false";
    line_ += ",\"embedding\":";
    append_json_list(line_, std::span<const float>(embedding.values), append_json_float);
    line_ += "}\n";
  }

  Output output_;
  std::string line_;
};

// A header of constant length, so that the number of rows can be put in at the end.
constexpr std::size_t kNpyHeaderBytes = 128;

std::string npy_header(std::size_t rows, std::size_t columns) {
  std::string header("\x93NUMPY\x01\x00", 8);
  const std::size_t dictionary_bytes = kNpyHeaderBytes - 10;
  header += static_cast<char>(dictionary_bytes & 0xff);
  header += static_cast<char>(dictionary_bytes >> 8);
  header += "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
            std::to_string(columns) + "), }";
  header.resize(kNpyHeaderBytes - 1, ' ');
  return header + '\n';
}

class NpyWriter final : public ResultWriter {
  static_assert(std::endian::native == std::endian::little, "rows are written as they stand in memory");

 public:
  NpyWriter(Output output, std::size_t columns) : output_(std::move(output)), columns_(columns) {}

  Status add(std::size_t index, const Item&, const Embedding& embedding) override {
    if (embedding.status.ok()) return add_row(embedding.values);
    complain("item " + std::to_string(index) + ": " + embedding.status.message());
    return add_row(std::vector<float>(columns_, std::numeric_limits<float>::quiet_NaN()));
  }

  Status end_batch() override { return output_.seekable() ? output_.flush() : Status{}; }

  Status finish() override {
    const std::string header = npy_header(rows_, columns_);
    Status status = output_.seekable() ? output_.write_at(0, header) : output_.write(header);
    if (status.ok() && !output_.seekable()) status = output_.write(held_);
    return status.ok() ? output_.close() : status;
  }

 private:
  Status add_row(const std::vector<float>& row) {
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float));
    const bool first = rows_++ == 0;
    if (!output_.seekable()) {
      held_ += bytes;
      return {};
    }
    if (first)
      if (Status status = output_.write(npy_header(0, columns_)); !status.ok()) return status;
    return output_.write(bytes);
  }

  Output output_;
  std::size_t columns_, rows_ = 0;
  std::string held_;
};

}  // namespace

std::unique_ptr<ResultWriter> make_jsonl_writer(Output output) {
  return std::make_unique<JsonlWriter>(std::move(output));
}

std::unique_ptr<ResultWriter> make_npy_writer(Output output, std::size_t columns) {
  return std::make_unique<NpyWriter>(std::move(output), columns);
}

}  // namespace quire::cli
