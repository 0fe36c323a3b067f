// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "cli/options.h"
#include "cli/report.h"
#include "cli/result_writer.h"

namespace quire::cli {
namespace {

// The items that could be read go through the encoder; the others keep the error they came with. All are written in the
// order of the input.
class EmbedRun {
 public:
  EmbedRun(TextEncoder& encoder, const EncodeOptions& options, ResultWriter& writer)
      : encoder_(encoder), options_(options), writer_(writer) {}

  Status add_batch(const std::vector<Item>& items) {
    std::vector<Input> inputs;
    for (const Item& item : items)
      if (item.status.ok()) inputs.push_back(item.input());
    std::size_t at = 0;
    Status written;
    const Status encoded = encoder_.encode(inputs, options_, [&](std::size_t, Embedding&& embedding) {
      write_unreadable(items, at, written);
      write(items[at++], embedding, written);
    });
    if (!encoded.ok()) return encoded;
    write_unreadable(items, at, written);
    return written.ok() ? writer_.end_batch() : written;
  }

  std::size_t items() const { return index_; }
  std::size_t failed() const { return failed_; }

 private:
  void write_unreadable(const std::vector<Item>& items, std::size_t& at, Status& written) {
    for (; at < items.size() && !items[at].status.ok(); ++at) {
      Embedding none;
      none.status = items[at].status;
      write(items[at], none, written);
    }
  }

  void write(const Item& item, const Embedding& embedding, Status& written) {
    if (!embedding.status.ok()) ++failed_;
    const std::size_t index = index_++;
    if (written.ok()) written = writer_.add(index, item, embedding);
  }

  TextEncoder& encoder_;
  const EncodeOptions& options_;
  ResultWriter& writer_;
  std::size_t index_ = 0, failed_ = 0;
};

Status run_all(ItemSource& source, EmbedRun& run) {
  while (true) {
    const Result<std::vector<Item>> batch = source.next_batch();
    if (!batch.ok()) return batch.status();
    if (batch->empty()) return {};
    if (Status status = run.add_batch(*batch); !status.ok()) return status;
  }
}

Result<std::unique_ptr<ResultWriter>> open_writer(const EmbedOptions& options, const Description& model) {
  Result<Output> output = Output::open(options.output);
  if (!output.ok()) return output.status();
  if (options.format == OutputFormat::npy)
    return make_npy_writer(std::move(output).value(), static_cast<std::size_t>(model.hidden_size));
  return make_jsonl_writer(std::move(output).value());
}

}  // namespace

int run_embed(const EmbedOptions& options) {
  if (const Status status = refuse_one_file(options.items.input, options.output); !status.ok()) return fail(status);
  Result<ItemSource> source = open_items(options.items);
  if (!source.ok()) return fail(source.status());
  Result<TextEncoder> encoder = TextEncoder::load(options.model, options.engine);
  if (!encoder.ok()) return fail(encoder.status());
  // Before the output is touched: a run that can't start must not empty a file.
  if (const auto tried = encoder->encode(std::span<const Input>{}, options.encode); !tried.ok())
    return fail(tried.status());
  Result<std::unique_ptr<ResultWriter>> writer = open_writer(options, encoder->describe());
  if (!writer.ok()) return fail(writer.status());

  EmbedRun run(*encoder, options.encode, **writer);
  if (const Status status = run_all(*source, run); !status.ok()) return fail(status);
  if (const Status status = (*writer)->finish(); !status.ok()) return fail(status);
  return finish(run.items(), run.failed());
}

}  // namespace quire::cli
