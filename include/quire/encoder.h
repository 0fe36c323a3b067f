// SPDX-License-Identifier: Apache-2.0
//
// Text in, vectors out. Load a Hugging Face folder, ask what it would cost, encode.
//
//   auto encoder = quire::TextEncoder::load("models/all-MiniLM-L6-v2");
//   if (!encoder.ok()) { report(encoder.status().message()); return; }
//   auto results = encoder->encode({{.text = "What is Deep Learning?"}});
//
// No call throws, prints or exits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quire/export.h"
#include "quire/status.h"

namespace quire {

enum class Precision { f32 };
enum class Pooling { mean, cls, max, first_last };  // first_last: mean over tokens of (first layer + last layer) / 2

struct EngineOptions {
  int threads = 0;    // 0: min(affinity mask, cgroup quota, physical cores)
  std::string level;  // empty: the best this CPU has, or what QUIRE_LEVEL caps it at
  Precision precision = Precision::f32;
};

struct EncodeOptions {
  std::optional<Pooling> pooling;  // unset: what the model folder says; an error where it says nothing
  std::optional<bool> normalize;   // unset: what the model folder says
  std::string prompt;              // name of a prompt in the folder; empty: its default prompt, if any
  std::int64_t max_tokens = 0;     // 0: Description::max_tokens; may be raised up to Description::position_limit
  bool truncate = false;           // a longer text is cut on the right instead of being an error
};

// One item: a text (UTF-8; empty is legal), or token ids as they are (nothing added, at least one). Views: the caller
// keeps what they point to until the call returns.
struct Input {
  std::string_view text = {};
  std::optional<std::span<const std::int32_t>> ids = {};
};

struct Embedding {
  Status status;  // of this item; the others are not touched by its failure
  std::int64_t tokens = 0;
  bool truncated = false;
  std::vector<float> values;  // hidden_size components; empty when status is not ok
};

struct Token {
  std::int32_t id = 0;
  std::string text;                  // as the vocabulary spells it
  std::uint32_t begin = 0, end = 0;  // bytes of the caller's text; both 0 for special tokens and those of a prompt
};
struct Tokenized {
  Status status;
  bool truncated = false;
  std::vector<Token> tokens;
};

// What a model is and what runs it; known before any weight is packed.
struct Description {
  std::string folder, family, architecture;
  std::int64_t parameters = 0, layers = 0, hidden_size = 0, intermediate_size = 0, heads = 0, vocabulary = 0;
  std::int64_t max_tokens = 0;          // special tokens included
  std::string max_tokens_source;        // the file and key that set the limit
  std::int64_t position_limit = 0;      // what the positions allow: as far as EncodeOptions::max_tokens may be raised
  std::string pooling, pooling_source;  // "mean", "1_Pooling/config.json"
  bool normalize = false;
  std::vector<std::string> prompts;  // names
  std::string default_prompt;        // name; empty: none
  std::string tokenizer;
  std::string level, level_reason;   // the highest level among the kernels that run
  std::vector<std::string> kernels;  // "gemm_f32_avx2", ...
  std::string precision;
  int threads = 0;
  std::string threads_reason;
};

// Bytes, known from the shapes alone.
struct Plan {
  std::int64_t tokens = 0, sequences = 0;
  std::int64_t weight_bytes = 0;     // packed weights
  std::int64_t mapped_bytes = 0;     // weights used in place from the mapped file
  std::int64_t workspace_bytes = 0;  // one session for that many tokens
  struct Region {
    std::string name;
    std::int64_t offset = 0, bytes = 0;
  };
  std::vector<Region> regions;  // what lives where in the workspace
};

// A model folder opened and checked, nothing packed yet: config, tokenizer and the headers of the weight files are
// read.
class QUIRE_API ModelFolder {
 public:
  static Result<ModelFolder> open(const std::string& folder, const EngineOptions& options = {});
  ModelFolder(ModelFolder&&) noexcept;
  ModelFolder& operator=(ModelFolder&&) noexcept;
  ~ModelFolder();

  const Description& describe() const;

  // What packed weights and a workspace for `tokens` tokens in `sequences` sequences would take. Linear in both.
  Result<Plan> plan(std::int64_t tokens, std::int64_t sequences = 1) const;

  // The tokens that encode() would see. max_tokens 0 means no limit here; pooling and normalize are ignored. Errors of
  // the input are in Tokenized::status. Thread-safe.
  Result<Tokenized> tokenize(const Input& input, const EncodeOptions& options = {}) const;

 private:
  friend class TextEncoder;
  struct State;
  explicit ModelFolder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Packed weights, a thread pool and a session. One call at a time; for several threads, one TextEncoder each.
class QUIRE_API TextEncoder {
 public:
  static Result<TextEncoder> load(const std::string& folder, const EngineOptions& options = {});
  static Result<TextEncoder> load(ModelFolder folder);
  TextEncoder(TextEncoder&&) noexcept;
  TextEncoder& operator=(TextEncoder&&) noexcept;
  ~TextEncoder();

  const ModelFolder& folder() const;
  const Description& describe() const;

  // One result per input, in order. The Result itself is an error only when no item could be tried (unknown prompt, no
  // pooling, a limit above what the positions allow). A text's bits depend on model, level and options only: not on
  // what else is in the call, its place, or the number of threads.
  Result<std::vector<Embedding>> encode(std::span<const Input> inputs, const EncodeOptions& options = {});
  Result<std::vector<Embedding>> encode(std::initializer_list<Input> inputs, const EncodeOptions& options = {});

  // The same, handing over each finished item (index, embedding) in the order of the inputs; memory stays bounded
  // however many there are. Stops at the first exception of `on_item` and returns it as an internal error.
  Status encode(std::span<const Input> inputs, const EncodeOptions& options,
                const std::function<void(std::size_t, Embedding&&)>& on_item);

  // The workspace grows to what a call needs, up to kBatchTokens or the longest text, and is kept. reserve() makes it
  // once: afterwards forward passes of up to `tokens` tokens in `sequences` sequences allocate no memory.
  Status reserve(std::int64_t tokens, std::int64_t sequences = 1);
  static constexpr std::int64_t kBatchTokens = 4096;    // tokens that one forward pass takes from many texts
  static constexpr std::int64_t kBatchSequences = 256;  // texts that it takes

  std::int64_t weight_bytes() const;     // held now: Plan::weight_bytes
  std::int64_t workspace_bytes() const;  // held now: Plan::workspace_bytes of the capacity reached so far

 private:
  struct State;
  explicit TextEncoder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace quire
