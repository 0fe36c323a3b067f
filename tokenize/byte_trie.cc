// SPDX-License-Identifier: Apache-2.0
#include "tokenize/byte_trie.h"

#include <bit>

namespace quire::tokenize {

ByteTrie::ByteTrie() : slots_(16), values_(1, kNoValue), mask_(15), shift_(60) {}

bool ByteTrie::insert(std::string_view word, std::int32_t value) {
  Node node = kRoot;
  for (const char byte : word) {
    Node next = child(node, byte);
    if (next == kNone) {
      if (static_cast<Index>(values_.size()) >= kNodes) return false;
      next = static_cast<Node>(values_.size());
      values_.push_back(kNoValue);
      if (values_.size() * 2 > slots_.size()) grow();
      place(std::uint64_t{key_of(node, byte)} << 32 | next);
    }
    node = next;
  }
  if (values_[node] == kNoValue) values_[node] = value;
  return true;
}

void ByteTrie::place(std::uint64_t slot) {
  std::size_t at = slot_of(static_cast<std::uint32_t>(slot >> 32));
  while (slots_[at] != 0) at = (at + 1) & mask_;
  slots_[at] = slot;
}

void ByteTrie::grow() {
  std::vector<std::uint64_t> old(slots_.size() * 2);
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  shift_ = 64 - std::countr_zero(slots_.size());
  for (const std::uint64_t slot : old)
    if (slot != 0) place(slot);
}

ByteTrie::Node ByteTrie::walk(std::string_view word) const {
  Node node = kRoot;
  for (const char byte : word) {
    node = child(node, byte);
    if (node == kNone) return kNone;
  }
  return node;
}

std::int32_t ByteTrie::find(std::string_view word) const {
  const Node node = walk(word);
  return node == kNone && !word.empty() ? kNoValue : values_[node];
}

}  // namespace quire::tokenize
