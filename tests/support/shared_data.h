// SPDX-License-Identifier: Apache-2.0
//
// Where the tests find the large data that is not part of the repository.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace quire::test {

// The folder named by QUIRE_SHARED_DATA, else the first `shared/data` beside the project's root or beside a folder
// above it. Empty where there is none: such tests say GTEST_SKIP() << "no shared data", so that the gap shows in the
// report.
inline std::optional<std::filesystem::path> shared_data() {
  namespace fs = std::filesystem;
  std::error_code error;
  if (const char* named = std::getenv("QUIRE_SHARED_DATA")) {
    if (fs::is_directory(named, error)) return fs::path(named);
    return std::nullopt;
  }
  const fs::path root = fs::path(QUIRE_SOURCE_ROOT).lexically_normal();
  for (fs::path folder = root; folder.has_relative_path(); folder = folder.parent_path()) {
    fs::path candidate = folder.parent_path() / "shared" / "data";
    if (fs::is_directory(candidate, error)) return candidate;
  }
  return std::nullopt;
}

}  // namespace quire::test
