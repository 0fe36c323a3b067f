// SPDX-License-Identifier: Apache-2.0
//
// Opening and reading files of a model folder. Symbolic links are followed: the Hugging Face cache is made of them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "base/status.h"
#include "base/types.h"

namespace quire::loader {

// An open descriptor of a regular file. Move-only.
class File {
 public:
  // Never waits: a FIFO or device is refused, not read. Absent: not_found; the system refuses: io_error.
  static Result<File> open(const std::filesystem::path& path);
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), bytes_(other.bytes_) {}
  File& operator=(File&&) = delete;
  ~File();

  int descriptor() const { return descriptor_; }
  Index bytes() const { return bytes_; }  // when it was opened

 private:
  File(int descriptor, Index bytes) : descriptor_(descriptor), bytes_(bytes) {}
  int descriptor_ = -1;
  Index bytes_ = 0;
};

// The whole content of a file of at most `limit` bytes; a longer one is a corrupt_file.
Result<std::string> read_file(const std::filesystem::path& path, Index limit);

// Something of that name is there, be it a broken link or unreadable: opening it then says what is wrong.
bool file_exists(const std::filesystem::path& path);

// not_found or io_error for a model folder that can't be one; ok otherwise.
Status check_folder(const std::filesystem::path& folder);

}  // namespace quire::loader
