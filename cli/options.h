// SPDX-License-Identifier: Apache-2.0
//
// What the command line asks for, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/items.h"
#include "quire/encoder.h"

namespace quire::cli {

// Exit statuses that scripts may rely on.
enum Exit : int {
  kExitOk = 0,
  kExitFailed = 1,       // the run as a whole failed: a model that can't be loaded, a disk that is full
  kExitUsage = 2,        // the command line asks for something that makes no sense
  kExitItemsFailed = 3,  // the run is complete, but some items failed
};

enum class OutputFormat { jsonl, npy };

struct ItemOptions {
  std::vector<std::string> texts;
  std::string input;
  std::optional<InputFormat> format;
};

struct EmbedOptions {
  std::string model;
  EngineOptions engine;
  ItemOptions items;
  EncodeOptions encode;
  OutputFormat format = OutputFormat::jsonl;
  std::string output;
};

struct TokenizeOptions {
  std::string model;
  ItemOptions items;
  EncodeOptions encode;
  std::string output;
};

struct InfoOptions {
  std::string model;
  EngineOptions engine;
  std::int64_t length = 0;  // 0: the model's limit
  bool json = false;
};

int run_embed(const EmbedOptions& options);
int run_tokenize(const TokenizeOptions& options);
int run_info(const InfoOptions& options);

}  // namespace quire::cli
