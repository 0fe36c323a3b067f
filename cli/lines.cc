// SPDX-License-Identifier: Apache-2.0
#include "cli/lines.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace quire::cli {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Status cannot_read(const std::string& name, const char* why) {
  return {StatusCode::io_error, name + ": cannot be read: " + why};
}

}  // namespace

LineReader::LineReader(std::FILE* file, std::string name, bool owned)
    : file_(file), name_(std::move(name)), owned_(owned), buffer_(kBufferBytes) {}

LineReader::LineReader(LineReader&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      name_(std::move(other.name_)),
      owned_(other.owned_),
      started_(other.started_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      end_(other.end_) {}

LineReader& LineReader::operator=(LineReader&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(name_, other.name_);
  std::swap(owned_, other.owned_);
  std::swap(started_, other.started_);
  std::swap(buffer_, other.buffer_);
  std::swap(begin_, other.begin_);
  std::swap(end_, other.end_);
  return *this;
}

LineReader::~LineReader() {
  if (file_ != nullptr && owned_) std::fclose(file_);
}

Result<LineReader> LineReader::open(const std::string& path) {
  if (path == "-") return LineReader(stdin, "standard input", false);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return cannot_read(path, std::strerror(errno));
  LineReader reader(file, path, true);
  struct stat facts {};
  if (::fstat(::fileno(file), &facts) == 0 && S_ISDIR(facts.st_mode)) return cannot_read(path, "it is a folder");
  return reader;
}

// false at the end of the file.
Result<bool> LineReader::fill() {
  begin_ = 0;
  end_ = std::fread(buffer_.data(), 1, buffer_.size(), file_);
  if (end_ == 0 && std::ferror(file_)) return cannot_read(name_, std::strerror(errno));
  return end_ > 0;
}

Result<LineKind> LineReader::next(std::string& line) {
  line.clear();
  bool any = false, ended = false, too_long = false;
  while (!ended) {
    if (begin_ == end_) {
      const Result<bool> more = fill();
      if (!more.ok()) return more.status();
      if (!*more) break;
    }
    any = true;
    const char* from = buffer_.data() + begin_;
    const auto* stop = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
    ended = stop != nullptr;
    const std::size_t count = ended ? static_cast<std::size_t>(stop - from) : end_ - begin_;
    too_long = too_long || line.size() + count > kLongestLine;
    if (!too_long) line.append(from, count);
    begin_ += count + (ended ? 1 : 0);
  }
  if (!any) return LineKind::end;
  if (!std::exchange(started_, true) && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  if (too_long) return LineKind::too_long;
  if (ended && line.ends_with('\r')) line.pop_back();
  return LineKind::line;
}

}  // namespace quire::cli
