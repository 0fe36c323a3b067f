// SPDX-License-Identifier: Apache-2.0
//
// A level is a set of CPU features that kernels are written for, together with what the operating system must allow.
// Levels are ordered: a cap at one level leaves all that stand before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace quire {

struct CpuFeatures;

enum class Level : std::uint8_t { portable, avx2, avxvnni, avx512, avx512vnni, avx512bf16, amx };
inline constexpr Level kAllLevels[] = {Level::portable,   Level::avx2,       Level::avxvnni, Level::avx512,
                                       Level::avx512vnni, Level::avx512bf16, Level::amx};

// "portable avx2 avxvnni avx512 avx512vnni avx512bf16 amx"
std::string_view to_string(Level level) noexcept;
Result<Level> parse_level(std::string_view name);

// The levels that may run. portable is always a member.
class LevelSet {
 public:
  constexpr LevelSet() = default;
  constexpr bool contains(Level level) const { return (bits_ >> static_cast<unsigned>(level) & 1u) != 0; }
  constexpr LevelSet with(Level level) const { return LevelSet(bits_ | 1u << static_cast<unsigned>(level)); }
  constexpr LevelSet up_to(Level cap) const { return LevelSet(bits_ & ((2u << static_cast<unsigned>(cap)) - 1u)); }
  constexpr Level best() const {
    Level found = Level::portable;
    for (Level level : kAllLevels)
      if (contains(level)) found = level;
    return found;
  }
  constexpr bool operator==(const LevelSet&) const = default;

 private:
  constexpr explicit LevelSet(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 1;
};

// Pure: which levels CPU and operating system allow.
LevelSet levels_of(const CpuFeatures& features) noexcept;

struct LevelChoice {
  LevelSet levels;     // what may run
  std::string reason;  // "detected", "capped by QUIRE_LEVEL=avx2", "capped by the caller at avx2"
};

// Caps the detected levels by the caller's wish (empty: none), else by `environment`, the value of QUIRE_LEVEL (empty:
// unset). An unknown name, or a level that this CPU can't run, is an error: a wrong cap must not mislead a benchmark.
Result<LevelChoice> choose_levels(LevelSet detected, std::string_view wish, std::string_view environment);

// choose_levels for this process: detected features and the real QUIRE_LEVEL.
Result<LevelChoice> choose_levels(std::string_view wish = {});

}  // namespace quire
