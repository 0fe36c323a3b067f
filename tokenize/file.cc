// SPDX-License-Identifier: Apache-2.0
#include "tokenize/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace quire::tokenize {
namespace {

Status system_error(const std::filesystem::path& path, int number) {
  const StatusCode code = number == ENOENT || number == ENOTDIR ? StatusCode::not_found : StatusCode::io_error;
  return {code, path.string() + ": " + std::generic_category().message(number)};
}

Result<simdjson::padded_string> read_open_file(const std::filesystem::path& path, int descriptor) {
  struct stat about {};
  if (::fstat(descriptor, &about) != 0) return system_error(path, errno);
  if (!S_ISREG(about.st_mode)) return io_error(path.string() + ": is not a regular file");
  if (about.st_size > kFileBytes)
    return corrupt_file(path.string() + ": has " + std::to_string(about.st_size) + " bytes, at most " +
                        std::to_string(kFileBytes) + " are allowed");
  const auto bytes = static_cast<std::size_t>(about.st_size);
  simdjson::padded_string text(bytes);
  if (text.data() == nullptr)
    return out_of_memory(path.string() + ": no memory for " + std::to_string(bytes) + " bytes");
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t count = ::read(descriptor, text.data() + done, bytes - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(path, errno);
    if (count == 0) return io_error(path.string() + ": became shorter while it was read");
    done += static_cast<std::size_t>(count);
  }
  return text;
}

}  // namespace

Result<simdjson::padded_string> read_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_error(path, errno);
  Result<simdjson::padded_string> text = read_open_file(path, descriptor);
  ::close(descriptor);
  return text;
}

}  // namespace quire::tokenize
