// SPDX-License-Identifier: Apache-2.0
//
// Runs one fuzz target without libFuzzer: all seeds, then a fixed number of mutations of them, the same in every run.
// With arguments: the files named, to repeat what libFuzzer found.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>

#include "tests/fuzz/fuzz_target.h"

namespace {

constexpr int kMutations = 100'000;
constexpr int kMostEdits = 3;
constexpr std::uint64_t kSeed = 0x51756972;

// In a block of exactly its size, so that AddressSanitizer sees a read of one byte too many.
void run(const std::string& input) {
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[input.size()]);
  std::copy(input.begin(), input.end(), exact.get());
  LLVMFuzzerTestOneInput(exact.get(), input.size());
}

class Mutator {
 public:
  Mutator() : seeds_(quire::test::fuzz_seeds()), words_(quire::test::fuzz_words()) {}

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t edits = 1 + below(kMostEdits); edits > 0; --edits) edit(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(random_() % bound); }

  void edit(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 16) + 1);
    const std::string& word = words_[below(words_.size())];
    switch (below(7)) {
      case 0:
        text.insert(at, word);
        break;
      case 1:
        text.replace(at, length, word);
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 5:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      default:
        splice(text, at);
        break;
    }
  }

  // The head of this, the tail of another seed.
  void splice(std::string& text, std::size_t at) {
    const std::string& other = seeds_[below(seeds_.size())];
    text.resize(at);
    text += other.substr(below(other.size() + 1));
  }

  std::vector<std::string> seeds_;
  std::vector<std::string> words_;
  std::mt19937_64 random_{kSeed};
};

int run_files(int count, char** names) {
  for (int i = 0; i < count; ++i) {
    std::ifstream file(names[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read %s\n", names[i]);
      return 1;
    }
    run(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return run_files(argc - 1, argv + 1);
  const std::vector<std::string> seeds = quire::test::fuzz_seeds();
  for (const std::string& seed : seeds) run(seed);
  Mutator mutator;
  for (int i = 0; i < kMutations; ++i) run(mutator.next());
  std::printf("%zu seeds and %d mutations kept every promise\n", seeds.size(), kMutations);
  return 0;
}
