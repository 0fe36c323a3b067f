// SPDX-License-Identifier: Apache-2.0
//
// What a program outside this project looks like: public headers, flags from pkg-config, nothing else.
//
//   consumer MODEL_FOLDER TEXT
//
// prints the components of the text's vector, one a line, with enough digits to read back the same bits.
#include <quire/encoder.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  auto encoder = quire::TextEncoder::load(argv[1]);
  if (!encoder.ok()) {
    std::fprintf(stderr, "%s\n", encoder.status().message().c_str());
    return 1;
  }
  const auto results = encoder->encode({{.text = argv[2]}});
  if (!results.ok() || !results->front().status.ok()) return 1;
  for (const float value : results->front().values) std::printf("%.9g\n", static_cast<double>(value));
  return 0;
}
