// SPDX-License-Identifier: Apache-2.0
//
// A trie over bytes. Edges live in one open-addressed table of 8-byte slots, so that a step costs one cache line
// whatever the fan-out, and building is linear in the words' bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace quire::tokenize {

class ByteTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNone = 0;  // the root is nobody's child
  static constexpr std::int32_t kNoValue = -1;
  // Bounds memory (some 150 MB) and lets parent and byte fit 32 bits. XLM-R's 250,002 words need 0.8 million.
  static constexpr Index kNodes = Index{1} << 22;

  ByteTrie();

  // Value >= 0. An existing word keeps its value. false: more than kNodes nodes would be needed.
  bool insert(std::string_view word, std::int32_t value);

  Node child(Node parent, char byte) const {
    const std::uint32_t key = key_of(parent, byte);
    for (std::size_t at = slot_of(key);; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at];
      if (static_cast<std::uint32_t>(slot >> 32) == key && slot != 0) return static_cast<Node>(slot);
      if (slot == 0) return kNone;
    }
  }
  std::int32_t value(Node node) const { return values_[node]; }

  // The node that `word` leads to; kNone where there is none or `word` is empty.
  Node walk(std::string_view word) const;
  std::int32_t find(std::string_view word) const;

  struct Match {
    std::int32_t value = kNoValue;
    std::size_t end = 0;  // in the text
  };
  // The longest non-empty word that begins at `begin`, continuing from `start` (whose own value doesn't count).
  Match longest(std::string_view text, std::size_t begin, Node start = kRoot) const {
    Match match;
    Node node = start;
    for (std::size_t at = begin; at < text.size();) {
      node = child(node, text[at++]);
      if (node == kNone) break;
      if (values_[node] != kNoValue) match = {values_[node], at};
    }
    return match;
  }

 private:
  static std::uint32_t key_of(Node parent, char byte) { return parent << 8 | static_cast<unsigned char>(byte); }
  std::size_t slot_of(std::uint32_t key) const {
    return static_cast<std::size_t>((key * std::uint64_t{0x9E3779B97F4A7C15}) >> shift_);
  }
  void place(std::uint64_t slot);
  void grow();

  std::vector<std::uint64_t> slots_;  // key << 32 | child; 0: free
  std::vector<std::int32_t> values_;  // per node
  std::size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace quire::tokenize
