// SPDX-License-Identifier: Apache-2.0
#include "cli/report.h"

#include <cstdio>

#include "cli/json_write.h"
#include "cli/options.h"

namespace quire::cli {

void complain(const std::string& message) { std::fprintf(stderr, "quire: %s\n", message.c_str()); }

int fail(const Status& status) {
  complain(status.message());
  return status.code() == StatusCode::invalid_argument ? kExitUsage : kExitFailed;
}

int finish(std::size_t items, std::size_t failed) {
  if (failed == 0) return kExitOk;
  complain(std::to_string(failed) + " of " + std::to_string(items) + " items failed");
  return kExitItemsFailed;
}

Result<ItemSource> open_items(const ItemOptions& options) {
  const bool none = options.texts.empty() && options.input.empty();
  return ItemSource::open(options.texts, none ? "-" : options.input, options.format);
}

void append_line_start(std::string& out, std::size_t index, const std::string& id) {
  out += "{\"index\":";
  append_json_int(out, static_cast<std::int64_t>(index));
  if (!id.empty()) out.append(",\"id\":").append(id);
}

void append_error_line(std::string& out, std::size_t index, const std::string& id, const Status& status) {
  append_line_start(out, index, id);
  out += ",\"error\":";
  append_json_string(out, status.message());
  out += "}\n";
}

}  // namespace quire::cli
