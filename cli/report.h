// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "cli/items.h"
#include "quire/status.h"

namespace quire::cli {

// One line to standard error.
void complain(const std::string& message);

// Complains and returns the exit status: kExitUsage where the caller asked for something impossible, else kExitFailed.
int fail(const Status& status);

// Exit status of a complete run; says to standard error how many items failed.
int finish(std::size_t items, std::size_t failed);

// Where the run's items come from: standard input where neither --text nor --input is given.
struct ItemOptions;
Result<ItemSource> open_items(const ItemOptions& options);

// {"index":3,"id":"x","error":"..."}
void append_error_line(std::string& out, std::size_t index, const std::string& id, const Status& status);

// {"index":3,"id":"x"  and the caller goes on
void append_line_start(std::string& out, std::size_t index, const std::string& id);

}  // namespace quire::cli
