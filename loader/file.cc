// SPDX-License-Identifier: Apache-2.0
#include "loader/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace quire::loader {
namespace {

std::string system_text(int error) { return std::error_code(error, std::generic_category()).message(); }

Status open_error(const std::filesystem::path& path, int error) {
  if (error != ENOENT && error != ENOTDIR)
    return {StatusCode::io_error, path.string() + ": cannot be opened: " + system_text(error)};
  struct stat info {};
  const bool dangling = lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
  return {StatusCode::not_found,
          path.string() + (dangling ? ": is a symbolic link to a file that does not exist" : ": no such file")};
}

std::string kind_text(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

Result<File> File::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO that nobody writes to would otherwise wait for ever.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return open_error(path, errno);
  struct stat info {};
  const int failed = fstat(descriptor, &info) != 0 ? errno : 0;
  File file(descriptor, static_cast<Index>(info.st_size));
  if (failed != 0) return Status(StatusCode::io_error, path.string() + ": " + system_text(failed));
  if (!S_ISREG(info.st_mode))
    return Status(StatusCode::io_error, path.string() + ": is " + kind_text(info.st_mode) + ", not a regular file");
  return file;
}

File::~File() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<std::string> read_file(const std::filesystem::path& path, Index limit) {
  Result<File> file = File::open(path);
  if (!file.ok()) return file.status();
  if (file->bytes() > limit)
    return Status(StatusCode::corrupt_file, path.string() + ": has " + std::to_string(file->bytes()) +
                                                " bytes; at most " + std::to_string(limit) + " are read");
  std::string content(static_cast<std::size_t>(file->bytes()), '\0');
  std::size_t have = 0;
  while (have < content.size()) {
    const ssize_t got = read(file->descriptor(), content.data() + have, content.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Status(StatusCode::io_error, path.string() + ": cannot be read: " + system_text(errno));
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  content.resize(have);
  return content;
}

bool file_exists(const std::filesystem::path& path) {
  struct stat info {};
  // Anything but "there is no such name" counts as there, so that its own error is reported.
  return lstat(path.c_str(), &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

Status check_folder(const std::filesystem::path& folder) {
  struct stat info {};
  if (stat(folder.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return {StatusCode::not_found, folder.string() + ": no such folder"};
    return {StatusCode::io_error, folder.string() + ": " + system_text(errno)};
  }
  if (!S_ISDIR(info.st_mode))
    return {StatusCode::invalid_argument, folder.string() + ": is not a folder; name the folder that holds the model"};
  return {};
}

}  // namespace quire::loader
