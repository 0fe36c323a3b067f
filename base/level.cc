// SPDX-License-Identifier: Apache-2.0
#include "base/level.h"

#include <cstdlib>

#include "base/cpu_features.h"

namespace quire {
namespace {

std::string names_of(LevelSet levels) {
  std::string names;
  for (Level level : kAllLevels) {
    if (!levels.contains(level)) continue;
    if (!names.empty()) names += ", ";
    names += to_string(level);
  }
  return names;
}

LevelSet every_level() {
  LevelSet all;
  for (Level level : kAllLevels) all = all.with(level);
  return all;
}

bool runs_avx2(const CpuFeatures& f) { return f.os_avx && f.avx2 && f.fma && f.f16c && f.bmi2; }

bool runs_avx512(const CpuFeatures& f) {
  return runs_avx2(f) && f.os_avx512 && f.avx512f && f.avx512bw && f.avx512cd && f.avx512dq && f.avx512vl;
}

bool runs_amx(const CpuFeatures& f) { return runs_avx512(f) && f.os_amx && f.amx_tile && f.amx_bf16 && f.amx_int8; }

// `origin` is what the name was given by, for the message: "the caller's level" or "QUIRE_LEVEL".
Result<LevelSet> cap_levels(LevelSet detected, std::string_view name, const std::string& origin) {
  const Result<Level> cap = parse_level(name);
  if (!cap.ok()) {
    return invalid_argument(origin + ": " + cap.status().message() + "; this machine runs " + names_of(detected));
  }
  if (!detected.contains(*cap)) {
    return unsupported(origin + ": level \"" + std::string(name) + "\" does not run on this machine, which runs " +
                       names_of(detected));
  }
  return detected.up_to(*cap);
}

}  // namespace

std::string_view to_string(Level level) noexcept {
  switch (level) {
    case Level::portable:
      return "portable";
    case Level::avx2:
      return "avx2";
    case Level::avxvnni:
      return "avxvnni";
    case Level::avx512:
      return "avx512";
    case Level::avx512vnni:
      return "avx512vnni";
    case Level::avx512bf16:
      return "avx512bf16";
    case Level::amx:
      return "amx";
  }
  return "unknown";
}

Result<Level> parse_level(std::string_view name) {
  for (Level level : kAllLevels) {
    if (name == to_string(level)) return level;
  }
  return invalid_argument("unknown level \"" + std::string(name) + "\"; levels are " + names_of(every_level()));
}

LevelSet levels_of(const CpuFeatures& f) noexcept {
  LevelSet levels;
  if (!runs_avx2(f)) return levels;
  levels = levels.with(Level::avx2);
  if (f.avx_vnni) levels = levels.with(Level::avxvnni);
  if (!runs_avx512(f)) return levels;
  levels = levels.with(Level::avx512);
  if (f.avx512_vnni) levels = levels.with(Level::avx512vnni);
  if (f.avx512_bf16) levels = levels.with(Level::avx512bf16);
  if (runs_amx(f)) levels = levels.with(Level::amx);
  return levels;
}

Result<LevelChoice> choose_levels(LevelSet detected, std::string_view wish, std::string_view environment) {
  if (!wish.empty()) {
    QUIRE_ASSIGN_OR_RETURN(const LevelSet levels, cap_levels(detected, wish, "the caller's level"));
    return LevelChoice{levels, "capped by the caller at " + std::string(wish)};
  }
  if (!environment.empty()) {
    QUIRE_ASSIGN_OR_RETURN(const LevelSet levels, cap_levels(detected, environment, "QUIRE_LEVEL"));
    return LevelChoice{levels, "capped by QUIRE_LEVEL=" + std::string(environment)};
  }
  return LevelChoice{detected, "detected"};
}

Result<LevelChoice> choose_levels(std::string_view wish) {
  const char* environment = std::getenv("QUIRE_LEVEL");
  return choose_levels(levels_of(cpu_features()), wish, environment == nullptr ? "" : environment);
}

}  // namespace quire
