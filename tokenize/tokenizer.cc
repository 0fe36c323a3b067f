// SPDX-License-Identifier: Apache-2.0
#include "tokenize/tokenizer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tokenize/added_tokens.h"
#include "tokenize/file.h"
#include "tokenize/json_node.h"
#include "tokenize/model.h"
#include "tokenize/normalizer.h"
#include "tokenize/post_processor.h"
#include "tokenize/pre_tokenizer.h"
#include "tokenize/truncation.h"
#include "tokenize/utf8.h"

namespace quire::tokenize {

void Encoding::clear() {
  ids.clear();
  type_ids.clear();
  offsets.clear();
  sequence_ids.clear();
  special.clear();
}

struct Tokenizer::State {
  std::unique_ptr<Normalizer> normalizer;
  std::unique_ptr<PreTokenizer> pre_tokenizer;
  std::unique_ptr<Model> model;
  AddedTokens added;
  PostProcessor post_processor;

  static Result<std::unique_ptr<const State>> read(const simdjson::padded_string& json, const std::string& source);
  static Result<std::unique_ptr<const State>> read(const JsonNode& root);

  std::optional<std::string_view> token(TokenId id) const {
    if (const AddedToken* token = added.find(id)) return token->content;
    return model->vocabulary().word(id);
  }

  Status encode(const std::string_view (&texts)[2], bool is_pair, const EncodeOptions& options, Encoding& out,
                bool* truncated) const;
};

namespace {

// One text on its way through the pipeline.
class Pipeline {
 public:
  Pipeline(const Normalizer& normalizer, const PreTokenizer& pre_tokenizer, const Model& model,
           const AddedTokens& added, bool match_special)
      : normalizer_(normalizer),
        pre_tokenizer_(pre_tokenizer),
        model_(model),
        added_(added),
        match_special_(match_special) {}

  void run(std::string_view text, std::vector<Token>& tokens) {
    pieces_.clear();
    added_.split_original(text, match_special_, pieces_);
    for (const Piece& piece : pieces_) {
      if (piece.token)
        tokens.push_back({piece.token->id, {narrow(piece.range.begin), narrow(piece.range.end)}});
      else
        run_text(text, piece.range, tokens);
    }
  }

 private:
  static std::uint32_t narrow(std::size_t at) { return static_cast<std::uint32_t>(at); }

  // Text without added tokens of the first kind.
  void run_text(std::string_view text, Range range, std::vector<Token>& tokens) {
    normalized_.clear();
    normalizer_.normalize(text, range, normalized_);
    normalized_pieces_.clear();
    added_.split_normalized(normalized_.text, match_special_, normalized_pieces_);
    for (const Piece& piece : normalized_pieces_) {
      if (piece.token)
        tokens.push_back({piece.token->id, normalized_.source_of(piece.range.begin, piece.range.end)});
      else
        run_words(piece.range, tokens);
    }
  }

  void run_words(Range range, std::vector<Token>& tokens) {
    words_.clear();
    pre_tokenizer_.split(normalized_, range, words_);
    for (const Range& word : words_) {
      word_tokens_.clear();
      model_.tokenize(std::string_view(normalized_.text).substr(word.begin, word.end - word.begin), word_tokens_);
      for (const WordToken& token : word_tokens_)
        tokens.push_back({token.id, normalized_.source_of(word.begin + token.begin, word.begin + token.end)});
    }
  }

  const Normalizer& normalizer_;
  const PreTokenizer& pre_tokenizer_;
  const Model& model_;
  const AddedTokens& added_;
  const bool match_special_;
  // Kept from piece to piece for their capacity.
  std::vector<Piece> pieces_, normalized_pieces_;
  NormalizedText normalized_;
  std::vector<Range> words_;
  std::vector<WordToken> word_tokens_;
};

Status check_text(std::string_view text, std::string_view what) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max())
    return invalid_argument(std::string(what) + " has " + std::to_string(text.size()) +
                            " bytes, at most 4294967295 are allowed");
  return check_utf8(text, what);
}

Status check_version(const JsonNode& root) {
  if (!root.find("version")) return {};
  QUIRE_ASSIGN_OR_RETURN(const std::string_view version, root.string("version"));
  if (version == "1.0") return {};
  return root.refuse("version: is " + in_quotes(version) + ", only \"1.0\" is supported");
}

}  // namespace

Result<std::unique_ptr<const Tokenizer::State>> Tokenizer::State::read(const simdjson::padded_string& json,
                                                                       const std::string& source) {
  if (json.data() == nullptr) return out_of_memory(source + ": no memory for its text");
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const simdjson::error_code error = parser.parse(json).get(root);
  if (error == simdjson::MEMALLOC) return out_of_memory(source + ": no memory to parse it");
  if (error) return corrupt_file(source + ": is not valid JSON: " + simdjson::error_message(error));
  return read(JsonNode(root, source, ""));
}

Result<std::unique_ptr<const Tokenizer::State>> Tokenizer::State::read(const JsonNode& root) {
  auto state = std::make_unique<State>();
  QUIRE_RETURN_IF_ERROR(root.check_keys());
  QUIRE_RETURN_IF_ERROR(check_version(root));
  QUIRE_ASSIGN_OR_RETURN(state->normalizer, read_normalizer(root));
  QUIRE_ASSIGN_OR_RETURN(state->pre_tokenizer, read_pre_tokenizer(root));
  QUIRE_ASSIGN_OR_RETURN(state->model, read_model(root));
  QUIRE_ASSIGN_OR_RETURN(state->added, AddedTokens::read(root, state->model->vocabulary(), *state->normalizer));
  QUIRE_ASSIGN_OR_RETURN(state->post_processor, read_post_processor(root));
  // A template may only name tokens that exist: what is no word has no embedding either.
  for (const TokenId id : state->post_processor.special_ids())
    if (!state->token(id))
      return root.corrupt("post_processor: names the token id " + std::to_string(id) +
                          ", which is neither in model.vocab nor in added_tokens");
  return std::unique_ptr<const State>(std::move(state));
}

Status Tokenizer::State::encode(const std::string_view (&texts)[2], bool is_pair, const EncodeOptions& options,
                                Encoding& out, bool* truncated) const {
  out.clear();
  if (truncated) *truncated = false;
  QUIRE_RETURN_IF_ERROR(check_text(texts[0], is_pair ? "first text" : "text"));
  QUIRE_RETURN_IF_ERROR(check_text(texts[1], "second text"));
  if (options.max_tokens < 0)
    return invalid_argument("max_tokens is " + std::to_string(options.max_tokens) + ", must be 0 (no limit) or more");
  const Index special = options.add_special_tokens ? post_processor.special_tokens(is_pair) : 0;
  if (options.max_tokens > 0 && options.max_tokens < special)
    return invalid_argument("max_tokens is " + std::to_string(options.max_tokens) + ", but the " +
                            std::to_string(special) + " special tokens alone need " + std::to_string(special));
  Pipeline pipeline(*normalizer, *pre_tokenizer, *model, added, options.match_special_tokens);
  std::vector<Token> tokens[2];
  pipeline.run(texts[0], tokens[0]);
  if (is_pair) pipeline.run(texts[1], tokens[1]);
  const Index lengths[2] = {static_cast<Index>(tokens[0].size()), static_cast<Index>(tokens[1].size())};
  const Index total = lengths[0] + lengths[1] + special;
  Index keep[2] = {lengths[0], lengths[1]};
  if (options.max_tokens > 0 && total > options.max_tokens) {
    if (!options.truncate)
      return too_long("the text has " + std::to_string(total) + " tokens, at most " +
                      std::to_string(options.max_tokens) + " are allowed");
    const Index room = options.max_tokens - special;
    const Kept kept = is_pair ? longest_first(lengths[0], lengths[1], room) : Kept{room, 0};
    keep[0] = kept.first;
    keep[1] = kept.second;
    if (truncated) *truncated = true;
  }
  post_processor.assemble(tokens, keep, is_pair, options.add_special_tokens, out);
  return {};
}

Tokenizer::Tokenizer(std::unique_ptr<const State> state) : state_(std::move(state)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Result<Tokenizer> Tokenizer::open(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "tokenizer.json";
  QUIRE_ASSIGN_OR_RETURN(const simdjson::padded_string text, read_file(path));
  QUIRE_ASSIGN_OR_RETURN(std::unique_ptr<const State> state, State::read(text, path.string()));
  return Tokenizer(std::move(state));
}

Result<Tokenizer> Tokenizer::parse(std::string_view json, const std::string& source) {
  QUIRE_ASSIGN_OR_RETURN(std::unique_ptr<const State> state, State::read(simdjson::padded_string(json), source));
  return Tokenizer(std::move(state));
}

Status Tokenizer::encode(std::string_view text, const EncodeOptions& options, Encoding& out, bool* truncated) const {
  return state_->encode({text, {}}, false, options, out, truncated);
}

Status Tokenizer::encode_pair(std::string_view first, std::string_view second, const EncodeOptions& options,
                              Encoding& out, bool* truncated) const {
  return state_->encode({first, second}, true, options, out, truncated);
}

Index Tokenizer::vocabulary_size() const {
  return std::max(state_->model->vocabulary().id_end(), state_->added.id_end());
}

std::optional<std::string_view> Tokenizer::token(TokenId id) const { return state_->token(id); }

std::optional<TokenId> Tokenizer::id(std::string_view token) const {
  const std::optional<TokenId> added = state_->added.id(token);
  return added ? added : state_->model->vocabulary().id(token);
}

Index Tokenizer::special_tokens_added(bool pair) const { return state_->post_processor.special_tokens(pair); }

std::string Tokenizer::describe() const {
  return state_->model->describe() + ", " + state_->normalizer->describe() + ", " + state_->pre_tokenizer->describe() +
         ", " + state_->post_processor.name + ", " + std::to_string(state_->added.size()) + " added tokens";
}

}  // namespace quire::tokenize
