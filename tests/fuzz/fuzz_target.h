// SPDX-License-Identifier: Apache-2.0
//
// What one fuzz target gives: libFuzzer (Clang, option `fuzz`) drives it without end, tests/fuzz/standalone_main.cc for
// a moment under any compiler, as an ordinary test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// libFuzzer's entry point. Returns 0; a broken promise ends the process.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace quire::test {

// Inputs to begin from: small, valid and odd ones.
std::vector<std::string> fuzz_seeds();

// Fragments that mean something to the format; mutations insert them.
std::vector<std::string> fuzz_words();

inline void fuzz_require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

}  // namespace quire::test
