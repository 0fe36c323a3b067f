// SPDX-License-Identifier: Apache-2.0
//
// Time of one forward pass by number of tokens, one text at a time, token ids in and pooled vector out:
//
//   quire_forward_times --model DIR [--threads N] [--level L] [--lengths 16,32,64,...] [--seconds S] [--json]
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/cpu_features.h"
#include "quire/encoder.h"

namespace quire::bench {
namespace {

struct Arguments {
  std::string model;
  EngineOptions engine;
  std::vector<std::int64_t> lengths = {16, 32, 64, 128, 256, 512};
  double seconds = 1.0;  // of measuring per length
  bool json = false;
};

struct Row {
  std::int64_t tokens = 0;
  std::size_t runs = 0;
  double median_ms = 0, p10_ms = 0, p90_ms = 0;
  double tokens_per_second = 0, gflop = 0, gflop_per_second = 0;
};

template <class Number>
bool parse_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_lengths(std::string_view text, std::vector<std::int64_t>& out) {
  out.clear();
  while (true) {
    const std::size_t comma = text.find(',');
    std::int64_t length = 0;
    if (!parse_number(text.substr(0, comma), length) || length < 1) return false;
    out.push_back(length);
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

bool set_option(Arguments& arguments, std::string_view name, std::string_view value) {
  if (name == "--model")
    arguments.model = value;
  else if (name == "--level")
    arguments.engine.level = value;
  else if (name == "--threads")
    return parse_number(value, arguments.engine.threads);
  else if (name == "--lengths")
    return parse_lengths(value, arguments.lengths);
  else if (name == "--seconds")
    return parse_number(value, arguments.seconds);
  else
    return false;
  return true;
}

std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--json") {
      arguments.json = true;
      continue;
    }
    if (i + 1 == argc || !set_option(arguments, name, argv[i + 1])) return std::nullopt;
    ++i;
  }
  if (arguments.model.empty()) return std::nullopt;
  return arguments;
}

// Multiplications and additions of the matrix products and of attention.
double flop(const Description& model, std::int64_t tokens) {
  const auto n = static_cast<double>(tokens), h = static_cast<double>(model.hidden_size);
  const double per_layer = 2 * n * (4 * h * h + 2 * h * static_cast<double>(model.intermediate_size)) + 4 * n * n * h;
  return static_cast<double>(model.layers) * per_layer;
}

double quantile(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5)];
}

// Ids spread over the vocabulary, so that gathers miss as they do in life.
std::vector<std::int32_t> spread_ids(std::int64_t tokens, std::int64_t vocabulary) {
  std::vector<std::int32_t> ids;
  std::uint64_t state = 1;
  for (std::int64_t i = 0; i < tokens; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    ids.push_back(static_cast<std::int32_t>((state >> 33) % static_cast<std::uint64_t>(vocabulary)));
  }
  return ids;
}

Result<Row> measure(TextEncoder& encoder, std::int64_t tokens, double seconds) {
  const std::vector<std::int32_t> ids = spread_ids(tokens, encoder.describe().vocabulary);
  EncodeOptions options;
  options.max_tokens = tokens;
  if (encoder.describe().pooling.empty()) options.pooling = Pooling::mean;
  Input input;
  input.ids = ids;
  std::vector<double> times;
  const Stopwatch total;
  constexpr std::size_t kWarmUps = 2, kFewest = 7;
  while (times.size() < kWarmUps + kFewest || total.seconds() < seconds) {
    const Stopwatch one;
    const auto result = encoder.encode({&input, 1}, options);
    times.push_back(one.milliseconds());
    if (!result.ok()) return result.status();
    if (!result->front().status.ok()) return result->front().status;
  }
  times.erase(times.begin(), times.begin() + kWarmUps);
  std::ranges::sort(times);
  Row row;
  row.tokens = tokens;
  row.runs = times.size();
  row.median_ms = quantile(times, 0.5);
  row.p10_ms = quantile(times, 0.1);
  row.p90_ms = quantile(times, 0.9);
  row.tokens_per_second = static_cast<double>(tokens) / row.median_ms * 1e3;
  row.gflop = flop(encoder.describe(), tokens) * 1e-9;
  row.gflop_per_second = row.gflop / row.median_ms * 1e3;
  return row;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void print_json(const Description& d, const std::vector<Row>& rows) {
  std::printf("{\"model\":%s,\"level\":%s,\"precision\":%s,\"threads\":%d,\"cpu\":%s,\"rows\":[",
              quoted(d.folder).c_str(), quoted(d.level).c_str(), quoted(d.precision).c_str(), d.threads,
              quoted(cpu_name()).c_str());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    std::printf(
        "%s{\"tokens\":%lld,\"runs\":%zu,\"median_ms\":%.4f,\"p10_ms\":%.4f,\"p90_ms\":%.4f,"
        "\"tokens_per_second\":%.1f,\"gflop\":%.4f,\"gflop_per_second\":%.2f}",
        i ? "," : "", static_cast<long long>(r.tokens), r.runs, r.median_ms, r.p10_ms, r.p90_ms, r.tokens_per_second,
        r.gflop, r.gflop_per_second);
  }
  std::printf("]}\n");
}

void print_header(const Description& d) {
  std::printf("model      %s\nlevel      %s (%s)\nprecision  %s\nthreads    %d (%s)\nCPU        %s\n\n",
              d.folder.c_str(), d.level.c_str(), d.level_reason.c_str(), d.precision.c_str(), d.threads,
              d.threads_reason.c_str(), cpu_name().c_str());
  std::printf("%8s %10s %10s %10s %10s %10s\n", "tokens", "ms median", "p10", "p90", "tokens/s", "GFLOP/s");
}

void print_row(const Row& r) {
  std::printf("%8lld %10.3f %10.3f %10.3f %10.0f %10.1f\n", static_cast<long long>(r.tokens), r.median_ms, r.p10_ms,
              r.p90_ms, r.tokens_per_second, r.gflop_per_second);
  std::fflush(stdout);
}

int fail(const Status& status) {
  std::fprintf(stderr, "quire_forward_times: %s\n", status.message().c_str());
  return 1;
}

int run(const Arguments& arguments) {
  Result<TextEncoder> encoder = TextEncoder::load(arguments.model, arguments.engine);
  if (!encoder.ok()) return fail(encoder.status());
  if (!arguments.json) print_header(encoder->describe());
  std::vector<Row> rows;
  for (std::int64_t tokens : arguments.lengths) {
    const Result<Row> row = measure(*encoder, tokens, arguments.seconds);
    if (!row.ok()) return fail(row.status());
    rows.push_back(*row);
    if (!arguments.json) print_row(*row);
  }
  if (arguments.json) print_json(encoder->describe(), rows);
  return 0;
}

}  // namespace
}  // namespace quire::bench

int main(int argc, char** argv) {
  const auto arguments = quire::bench::parse(argc, argv);
  if (!arguments) {
    std::fprintf(stderr,
                 "usage: %s --model DIR [--threads N] [--level L] [--lengths 16,32,...] [--seconds S] [--json]\n",
                 argv[0]);
    return 2;
  }
  return quire::bench::run(*arguments);
}
