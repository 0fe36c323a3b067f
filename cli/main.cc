// SPDX-License-Identifier: Apache-2.0
//
// The quire program: thin verbs over the public API.
#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <map>

#include "cli/options.h"
#include "cli/report.h"

namespace quire::cli {
namespace {

constexpr const char* kAbout =
    "Quire: text encoders on CPUs.\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage, 3 done but some items failed (their lines say why).";

// CLI11's own checks of numbers go through double and print its limits in 309 digits.
struct WholeNumber : CLI::Validator {
  explicit WholeNumber(std::int64_t least) {
    func_ = [least](const std::string& text) {
      std::int64_t value = 0;
      const char* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, value);
      if (error == std::errc() && stop == end && value >= least) return std::string();
      return '"' + text + "\" is not a whole number from " + std::to_string(least) + " up";
    };
  }
};

// An option that is given but empty comes from a variable that was not set.
struct NotEmpty : CLI::Validator {
  NotEmpty() {
    func_ = [](const std::string& text) { return text.empty() ? std::string("the value is empty") : std::string(); };
  }
};

void add_model(CLI::App& verb, std::string& model) {
  verb.add_option("--model", model, "Model folder in Hugging Face form")
      ->required()
      ->type_name("DIR")
      ->check(NotEmpty());
}

void add_engine(CLI::App& verb, EngineOptions& engine) {
  verb.add_option("--threads", engine.threads, "Threads (default: what this process may use)")
      ->type_name("N")
      ->check(WholeNumber(1));
  verb.add_option("--level", engine.level, "Highest CPU level to use (default: the best here, or QUIRE_LEVEL)")
      ->type_name("L")
      ->check(NotEmpty());
  verb.add_option_function<std::string>(
          "--precision", [](const std::string&) {}, "Arithmetic (default: f32)")
      ->type_name("P")
      ->check(CLI::IsMember({"f32"}));
}

void add_items(CLI::App& verb, ItemOptions& items) {
  verb.add_option("--text", items.texts, "A text; may be given again. Texts come before --input")
      ->type_name("T")
      ->allow_extra_args(false);
  verb.add_option("--input", items.input, "File of texts, or - for standard input (default without --text)")
      ->type_name("FILE")
      ->check(NotEmpty());
  static const std::map<std::string, InputFormat> kFormats = {{"lines", InputFormat::lines},
                                                              {"jsonl", InputFormat::jsonl}};
  verb.add_option_function<std::string>(
          "--input-format", [&items](const std::string& name) { items.format = kFormats.at(name); },
          "lines: one text per line; jsonl: objects with text or ids, and id (default: by the file's name)")
      ->type_name("F")
      ->check(CLI::IsMember({"lines", "jsonl"}));
}

void add_limits(CLI::App& verb, EncodeOptions& encode) {
  verb.add_option("--prompt", encode.prompt, "Name of a prompt of the model, put in front of every text")
      ->type_name("NAME");
  verb.add_option("--max-length", encode.max_tokens, "Most tokens of a text, special tokens included")
      ->type_name("N")
      ->check(WholeNumber(1));
  verb.add_flag("--truncate", encode.truncate, "Cut longer texts on the right instead of failing them")
      ->disable_flag_override();
}

void add_embed(CLI::App& app, EmbedOptions& options, int& exit_status) {
  CLI::App* verb = app.add_subcommand("embed", "Texts in, vectors out");
  add_model(*verb, options.model);
  add_items(*verb, options.items);
  static const std::map<std::string, Pooling> kPoolings = {
      {"mean", Pooling::mean}, {"cls", Pooling::cls}, {"max", Pooling::max}, {"first-last", Pooling::first_last}};
  verb->add_option_function<std::string>(
          "--pooling", [&options](const std::string& name) { options.encode.pooling = kPoolings.at(name); },
          "From token rows to one vector (default: what the folder says)")
      ->type_name("P")
      ->check(CLI::IsMember({"mean", "cls", "max", "first-last"}));
  // A flag bound to the optional itself would be set to false when it is absent.
  verb->add_flag_function(
          "--normalize,!--no-normalize", [&options](std::int64_t sum) { options.encode.normalize = sum > 0; },
          "Vectors of length 1, or not (default: what the folder says)")
      ->disable_flag_override();
  add_limits(*verb, options.encode);
  add_engine(*verb, options.engine);
  verb->add_option_function<std::string>(
          "--format",
          [&options](const std::string& name) {
            options.format = name == "npy" ? OutputFormat::npy : OutputFormat::jsonl;
          },
          "jsonl, or npy: float32 rows, NaN where an item failed (default: jsonl)")
      ->type_name("F")
      ->check(CLI::IsMember({"jsonl", "npy"}));
  verb->add_option("--output", options.output, "File for the results (default: standard output)")
      ->type_name("FILE")
      ->check(NotEmpty());
  verb->callback([&] { exit_status = run_embed(options); });
}

void add_tokenize(CLI::App& app, TokenizeOptions& options, int& exit_status) {
  CLI::App* verb = app.add_subcommand("tokenize", "Texts in; token ids, tokens and byte offsets out");
  add_model(*verb, options.model);
  add_items(*verb, options.items);
  add_limits(*verb, options.encode);
  verb->add_option("--output", options.output, "File for the results (default: standard output)")
      ->type_name("FILE")
      ->check(NotEmpty());
  verb->callback([&] { exit_status = run_tokenize(options); });
}

void add_info(CLI::App& app, InfoOptions& options, int& exit_status) {
  CLI::App* verb = app.add_subcommand("info", "What a model is, what would run it, and the memory it would take");
  add_model(*verb, options.model);
  add_engine(*verb, options.engine);
  verb->add_option("--length", options.length, "Plan the workspace for that many tokens (default: the model's limit)")
      ->type_name("N")
      ->check(WholeNumber(1));
  verb->add_flag("--json", options.json, "As a JSON object");
  verb->callback([&] { exit_status = run_info(options); });
}

int run(int argc, char** argv) {
  CLI::App app(kAbout, "quire");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("quire ") + QUIRE_VERSION);
  EmbedOptions embed;
  TokenizeOptions tokenize;
  InfoOptions info;
  int exit_status = kExitOk;
  add_embed(app, embed, exit_status);
  add_tokenize(app, tokenize, exit_status);
  add_info(app, info, exit_status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return exit_status;
}

}  // namespace
}  // namespace quire::cli

int main(int argc, char** argv) {
  // A reader that goes away is reported as a failed write, not as death by signal.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return quire::cli::run(argc, argv);
  } catch (const std::exception& error) {
    quire::cli::complain(error.what());
    return quire::cli::kExitFailed;
  }
}
