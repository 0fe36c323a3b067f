// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "cli/json_write.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/report.h"

namespace quire::cli {
namespace {

template <class Append>  // append(out, token)
void append_field(std::string& out, const char* name, const std::vector<Token>& tokens, Append append) {
  out.append(",\"").append(name).append("\":");
  append_json_list(out, std::span<const Token>(tokens), append);
}

void append_tokens(std::string& out, std::size_t index, const std::string& id, const Tokenized& result) {
  append_line_start(out, index, id);
  out += result.truncated ? ",\"truncated\":true" : ",\"truncated\":false";
  append_field(out, "ids", result.tokens, [](std::string& to, const Token& t) { append_json_int(to, t.id); });
  append_field(out, "tokens", result.tokens, [](std::string& to, const Token& t) { append_json_string(to, t.text); });
  append_field(out, "offsets", result.tokens, [](std::string& to, const Token& t) {
    to += '[';
    append_json_int(to, t.begin);
    to += ',';
    append_json_int(to, t.end);
    to += ']';
  });
  out += "}\n";
}

Result<Tokenized> tokenize_item(const ModelFolder& folder, const EncodeOptions& options, const Item& item) {
  if (item.status.ok()) return folder.tokenize(item.input(), options);
  Tokenized unreadable;
  unreadable.status = item.status;
  return unreadable;
}

struct Count {
  std::size_t items = 0, failed = 0;
};

Status write_batch(const ModelFolder& folder, const EncodeOptions& options, const std::vector<Item>& batch,
                   Output& output, Count& count) {
  std::string line;
  for (const Item& item : batch) {
    const Result<Tokenized> result = tokenize_item(folder, options, item);
    if (!result.ok()) return result.status();
    line.clear();
    if (result->status.ok())
      append_tokens(line, count.items, item.id, *result);
    else
      append_error_line(line, count.items, item.id, result->status);
    ++count.items;
    if (!result->status.ok()) ++count.failed;
    if (Status status = output.write(line); !status.ok()) return status;
  }
  return output.flush();
}

Status tokenize_all(const ModelFolder& folder, const EncodeOptions& options, ItemSource& source, Output& output,
                    Count& count) {
  while (true) {
    const Result<std::vector<Item>> batch = source.next_batch();
    if (!batch.ok()) return batch.status();
    if (batch->empty()) return output.close();
    if (Status status = write_batch(folder, options, *batch, output, count); !status.ok()) return status;
  }
}

}  // namespace

int run_tokenize(const TokenizeOptions& options) {
  if (const Status status = refuse_one_file(options.items.input, options.output); !status.ok()) return fail(status);
  Result<ItemSource> source = open_items(options.items);
  if (!source.ok()) return fail(source.status());
  Result<ModelFolder> folder = ModelFolder::open(options.model);
  if (!folder.ok()) return fail(folder.status());
  EncodeOptions encode = options.encode;
  if (encode.truncate && encode.max_tokens == 0) encode.max_tokens = folder->describe().max_tokens;  // as embed cuts
  if (const auto tried = folder->tokenize({}, encode); !tried.ok()) return fail(tried.status());
  Result<Output> output = Output::open(options.output);
  if (!output.ok()) return fail(output.status());
  Count count;
  if (const Status status = tokenize_all(*folder, encode, *source, *output, count); !status.ok()) return fail(status);
  return finish(count.items, count.failed);
}

}  // namespace quire::cli
