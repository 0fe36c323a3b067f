// SPDX-License-Identifier: Apache-2.0
//
// A golden model folder that a test may spoil.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "tests/engine/golden_case.h"
#include "tests/support/temp_dir.h"

namespace quire::test {

class CopiedModel {
 public:
  explicit CopiedModel(const std::string& name = "gelu_f32") {
    std::filesystem::copy(golden_folder(name), dir_.path(), std::filesystem::copy_options::recursive);
  }

  std::string path() const { return dir_.path().string(); }
  std::filesystem::path file(const std::string& name) const { return dir_.path() / name; }

  std::string read(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, std::string_view content) const { dir_.write(name, content); }
  void remove(const std::string& name) const { std::filesystem::remove_all(file(name)); }

  // Replaces the first `from` in a file by `to`; a test that changes nothing would test nothing.
  void replace(const std::string& name, std::string_view from, std::string_view to) const {
    std::string content = read(name);
    const std::size_t at = content.find(from);
    if (at == std::string::npos) throw std::runtime_error(std::string(from) + " is not in " + name);
    write(name, content.replace(at, from.size(), to));
  }

 private:
  TempDir dir_;
};

}  // namespace quire::test
