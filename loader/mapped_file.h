// SPDX-License-Identifier: Apache-2.0
//
// A whole file, mapped read-only and private. Whoever cuts the file short while it is mapped makes reads beyond its new
// end fail with SIGBUS, as with any mapping: checkpoints are replaced by renaming, not rewritten in place.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/status.h"

namespace quire::loader {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }
  const std::string& name() const { return name_; }  // the path as it was given, for messages

 private:
  MappedFile(std::string name, std::span<const std::byte> bytes);
  std::string name_;
  std::span<const std::byte> bytes_;
};

}  // namespace quire::loader
