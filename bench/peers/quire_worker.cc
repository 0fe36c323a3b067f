// SPDX-License-Identifier: Apache-2.0
//
// Quire as one of the engines that bench/peers/run drives; speaks the protocol of worker.py:
//
//   quire_worker MODEL THREADS
//   in   {"ids": [...], "calls": N}
//   out  {"ms": [...], "vector": [...], "peak_rss_mb": X}
#include <simdjson.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "quire/encoder.h"

namespace {

int fail(const std::string& message) {
  std::fprintf(stderr, "quire_worker: %s\n", message.c_str());
  return 1;
}

struct Request {
  std::vector<std::int32_t> ids;
  std::int64_t calls = 0;
};

bool parse(simdjson::dom::parser& parser, const std::string& line, Request& request) {
  simdjson::dom::object object;
  simdjson::dom::array ids;
  if (parser.parse(line).get(object) != simdjson::SUCCESS) return false;
  if (object["ids"].get(ids) != simdjson::SUCCESS) return false;
  if (object["calls"].get(request.calls) != simdjson::SUCCESS) return false;
  request.ids.clear();
  for (const simdjson::dom::element id : ids) {
    std::int64_t value = 0;
    if (id.get(value) != simdjson::SUCCESS) return false;
    request.ids.push_back(static_cast<std::int32_t>(value));
  }
  return true;
}

template <class T>
void print_array(const char* key, const std::vector<T>& values) {
  std::printf("\"%s\": [", key);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("%s%.9g", i == 0 ? "" : ", ", static_cast<double>(values[i]));
  std::printf("], ");
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Runs the calls and prints the answer; the item's message when it failed.
std::string answer(quire::TextEncoder& encoder, const Request& request) {
  quire::EncodeOptions options;
  options.pooling = quire::Pooling::mean;
  options.normalize = true;
  options.max_tokens = static_cast<std::int64_t>(request.ids.size());
  const quire::Input input{.ids = request.ids};
  std::vector<double> ms;
  std::vector<float> vector;
  for (std::int64_t call = 0; call <= request.calls; ++call) {  // the first one warms up
    const quire::Stopwatch watch;
    auto result = encoder.encode({&input, 1}, options);
    if (call > 0) ms.push_back(watch.milliseconds());
    if (!result.ok()) return result.status().message();
    if (!result->front().status.ok()) return result->front().status.message();
    vector = std::move(result->front().values);
  }
  std::printf("{");
  print_array("ms", ms);
  print_array("vector", vector);
  std::printf("\"peak_rss_mb\": %.1f}\n", peak_rss_mb());
  std::fflush(stdout);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fail("usage: quire_worker MODEL THREADS");
  quire::EngineOptions options;
  options.threads = std::atoi(argv[2]);
  auto encoder = quire::TextEncoder::load(argv[1], options);
  if (!encoder.ok()) return fail(encoder.status().message());
  const quire::Description& about = encoder->describe();
  std::printf("{\"ready\": {\"detail\": \"quire, %d thread(s)\", \"level\": \"%s\"}}\n", about.threads,
              about.level.c_str());
  std::fflush(stdout);
  simdjson::dom::parser parser;
  Request request;
  for (std::string line; std::getline(std::cin, line);) {
    if (!parse(parser, line, request)) return fail("not a request: " + line);
    if (const std::string error = answer(*encoder, request); !error.empty()) return fail(error);
  }
  return 0;
}
