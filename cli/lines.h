// SPDX-License-Identifier: Apache-2.0
//
// Lines of a file, a pipe or standard input, with bounded memory.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "quire/status.h"

namespace quire::cli {

// A line that is longer can not be one text: the item fails, the rest of the line is skipped, the run goes on.
inline constexpr std::size_t kLongestLine = std::size_t{64} << 20;

enum class LineKind { line, too_long, end };

class LineReader {
 public:
  // "-": standard input.
  static Result<LineReader> open(const std::string& path);
  LineReader(LineReader&& other) noexcept;
  LineReader& operator=(LineReader&& other) noexcept;
  ~LineReader();

  // The next line without its end ("\n" or "\r\n"). A last line without an end counts; an empty line is an empty text;
  // a byte order mark at the start of the file is dropped.
  Result<LineKind> next(std::string& line);

 private:
  LineReader(std::FILE* file, std::string name, bool owned);
  Result<bool> fill();

  std::FILE* file_;
  std::string name_;
  bool owned_;
  bool started_ = false;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace quire::cli
