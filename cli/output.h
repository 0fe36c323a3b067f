// SPDX-License-Identifier: Apache-2.0
//
// Where results go. A full disk or a reader that went away is an error like any other, not silence.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "quire/status.h"

namespace quire::cli {

// An error when both names are one regular file, which opening the output would empty. Empty or "-" are the standard
// streams.
Status refuse_one_file(const std::string& input, const std::string& output);

class Output {
 public:
  // "-" or empty: stdout.
  static Result<Output> open(const std::string& path);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();

  Status write(std::string_view bytes);
  Status flush();
  // Writes over bytes at `position` of a file made by us. Only where seekable().
  Status write_at(long position, std::string_view bytes);
  bool seekable() const { return seekable_; }
  // Flushes and closes; the last place where an error can show.
  Status close();

 private:
  Output(std::FILE* file, std::string name, bool owned);
  Status failed(const char* what) const;

  std::FILE* file_;
  std::string name_;
  bool owned_;
  bool seekable_ = false;
};

}  // namespace quire::cli
