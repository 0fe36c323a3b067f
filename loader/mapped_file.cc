// SPDX-License-Identifier: Apache-2.0
#include "loader/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "loader/file.h"

namespace quire::loader {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  Result<File> file = File::open(path);
  if (!file.ok()) return file.status();
  const auto bytes = static_cast<std::size_t>(file->bytes());
  if (bytes == 0) return MappedFile(path.string(), {});  // mmap refuses a length of 0
  void* data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
  if (data == MAP_FAILED)
    return Status(StatusCode::io_error,
                  path.string() + ": cannot be mapped: " + std::error_code(errno, std::generic_category()).message());
  return MappedFile(path.string(), {static_cast<const std::byte*>(data), bytes});
}

MappedFile::MappedFile(std::string name, std::span<const std::byte> bytes) : name_(std::move(name)), bytes_(bytes) {}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : name_(std::move(other.name_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace quire::loader
