// SPDX-License-Identifier: Apache-2.0
#include "tokenize/bert_normalizer.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "tokenize/unicode.h"
#include "tokenize/utf8.h"

namespace quire::tokenize {
namespace {

// A combining character that waits for its place in the canonical order.
struct Waiting {
  char32_t code_point;
  int combining_class;
  bool follows;  // not the first of its decomposition
};

// The steps of the normaliser, fused: each character runs through all of them before the next one is read. Only the
// canonical order of combining characters looks further, up to the next character of class 0.
class Run {
 public:
  Run(const BertNormalizerOptions& options, std::string_view original, NormalizedText& out)
      : options_(options), original_(original), out_(out) {}

  void run(Range range) {
    for (std::size_t at = range.begin; at < range.end;) {
      at = copy_ascii({at, range.end});
      if (at < range.end) at = take(at);
    }
    flush();
  }

 private:
  // Copies ASCII that no step but `lowercase` changes; returns where it ends.
  std::size_t copy_ascii(Range range) {
    const auto plain = [](char c) { return static_cast<unsigned char>(c - 0x20) < 0x7F - 0x20; };
    std::size_t end = range.begin;
    while (end < range.end && plain(original_[end])) ++end;
    if (end == range.begin) return end;
    flush();
    const std::size_t length = end - range.begin, old = out_.text.size();
    out_.text.append(original_, range.begin, length);
    if (options_.lowercase)
      for (char& c : std::span(out_.text).subspan(old)) c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 32 : 0));
    out_.origin.resize(old + length);
    ByteSpan* origin = out_.origin.data() + old;
    for (std::size_t i = 0; i < length; ++i) {
      const auto at = static_cast<std::uint32_t>(range.begin + i);
      origin[i] = {at, at + 1};
    }
    return end;
  }

  // One character through the steps; returns where the next begins.
  std::size_t take(std::size_t at) {
    const std::size_t begin = at;
    char32_t code_point = next_code_point(original_, at);
    const ByteSpan source{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)};
    std::uint8_t flags = character_flags(code_point);
    if (options_.clean_text) {
      if (flags & kCleaned) return at;
      if (flags & kWhiteSpace) {
        code_point = ' ';
        flags = kWhiteSpace;
      }
    }
    const bool apart = options_.handle_chinese_chars && (flags & kIdeograph);
    if (apart) strip_accents(' ', kWhiteSpace, source);
    strip_accents(code_point, flags, source);
    if (apart) strip_accents(' ', kWhiteSpace, source);
    return at;
  }

  void strip_accents(char32_t code_point, std::uint8_t flags, ByteSpan source) {
    if (!options_.strip_accents) return lower(code_point, flags, source);
    if (!(flags & (kDecomposes | kReorders))) {
      flush();
      if (!(flags & kNonspacing)) lower(code_point, flags, source);
      return;
    }
    sources_.push_back(source);
    std::array<char32_t, kExpansion> parts;
    const int count = decompose(code_point, parts);
    for (int i = 0; i < count; ++i) {
      const char32_t part = parts[static_cast<std::size_t>(i)];
      arrive(part, combining_class(part), i > 0);
    }
  }

  void arrive(char32_t code_point, int combining_class, bool follows) {
    if (combining_class > 0) return waiting_.push_back({code_point, combining_class, follows});
    flush();
    leave(code_point, follows);
  }

  void flush() {
    if (waiting_.empty()) return;
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const Waiting& a, const Waiting& b) { return a.combining_class < b.combining_class; });
    for (const Waiting& one : waiting_) leave(one.code_point, one.follows);
    waiting_.clear();
  }

  // Sources are handed out by position: characters that changed places keep the place's source, not their own.
  void leave(char32_t code_point, bool follows) {
    if (!follows) {
      source_ = sources_[next_source_++];
      if (next_source_ == sources_.size()) {
        sources_.clear();
        next_source_ = 0;
      }
    }
    const std::uint8_t flags = character_flags(code_point);
    if (!(flags & kNonspacing)) lower(code_point, flags, source_);
  }

  void lower(char32_t code_point, std::uint8_t flags, ByteSpan source) {
    if (!options_.lowercase || !(flags & kLowers)) return put(code_point, source);
    std::array<char32_t, kExpansion> parts;
    const int count = lower_case(code_point, parts);
    for (int i = 0; i < count; ++i) put(parts[static_cast<std::size_t>(i)], source);
  }

  void put(char32_t code_point, ByteSpan source) {
    char bytes[4];
    const auto length = static_cast<std::size_t>(write_code_point(code_point, bytes));
    out_.text.append(bytes, length);
    out_.origin.insert(out_.origin.end(), length, source);
  }

  const BertNormalizerOptions& options_;
  const std::string_view original_;
  NormalizedText& out_;
  std::vector<Waiting> waiting_;
  std::vector<ByteSpan> sources_;  // of characters that went into the decomposition; from next_source_: did not leave
  std::size_t next_source_ = 0;
  ByteSpan source_;
};

}  // namespace

void BertNormalizer::normalize(std::string_view original, Range range, NormalizedText& out) const {
  Run(options_, original, out).run(range);
}

std::string BertNormalizer::describe() const {
  std::string out = "BertNormalizer (";
  const auto say = [&out](bool on, std::string_view name) {
    if (on) out.append(out.back() == '(' ? "" : ", ").append(name);
  };
  say(options_.clean_text, "clean_text");
  say(options_.handle_chinese_chars, "handle_chinese_chars");
  say(options_.strip_accents, "strip_accents");
  say(options_.lowercase, "lowercase");
  return out + ")";
}

Result<std::unique_ptr<Normalizer>> read_bert_normalizer(const JsonNode& section) {
  BertNormalizerOptions options;
  QUIRE_ASSIGN_OR_RETURN(options.clean_text, section.boolean("clean_text"));
  QUIRE_ASSIGN_OR_RETURN(options.handle_chinese_chars, section.boolean("handle_chinese_chars"));
  QUIRE_ASSIGN_OR_RETURN(options.lowercase, section.boolean("lowercase"));
  options.strip_accents = options.lowercase;  // what null means
  if (section.find("strip_accents")) {
    QUIRE_ASSIGN_OR_RETURN(options.strip_accents, section.boolean("strip_accents"));
  }
  return std::unique_ptr<Normalizer>(std::make_unique<BertNormalizer>(options));
}

}  // namespace quire::tokenize
