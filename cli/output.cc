// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace quire::cli {
namespace {

bool is_regular(std::FILE* file) {
  struct stat facts {};
  return ::fstat(::fileno(file), &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace

// stdout may have been opened for appending by the shell, so only a file of our own counts as seekable.
Output::Output(std::FILE* file, std::string name, bool owned)
    : file_(file), name_(std::move(name)), owned_(owned), seekable_(owned && is_regular(file)) {}

Output::Output(Output&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      name_(std::move(other.name_)),
      owned_(other.owned_),
      seekable_(other.seekable_) {}

Output::~Output() {
  if (file_ != nullptr && owned_) std::fclose(file_);
}

Status refuse_one_file(const std::string& input, const std::string& output) {
  if (output.empty() || output == "-") return {};
  const std::string source = input.empty() || input == "-" ? "/dev/stdin" : input;
  std::error_code none;
  if (!std::filesystem::is_regular_file(output, none) || !std::filesystem::equivalent(source, output, none)) return {};
  return {StatusCode::invalid_argument, output + ": is the input too; opening it for the results would empty it"};
}

Result<Output> Output::open(const std::string& path) {
  if (path.empty() || path == "-") return Output(stdout, "standard output", false);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return Status(StatusCode::io_error, path + ": cannot be written: " + std::strerror(errno));
  return Output(file, path, true);
}

Status Output::failed(const char* what) const {
  return {StatusCode::io_error, name_ + ": " + what + " failed: " + std::strerror(errno)};
}

Status Output::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) return failed("writing");
  return {};
}

Status Output::flush() {
  if (std::fflush(file_) != 0) return failed("writing");
  return {};
}

Status Output::write_at(long position, std::string_view bytes) {
  if (std::fseek(file_, position, SEEK_SET) != 0) return failed("seeking");
  return write(bytes);
}

Status Output::close() {
  if (!owned_) return flush();
  std::FILE* file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0) return failed("closing");
  return {};
}

}  // namespace quire::cli
