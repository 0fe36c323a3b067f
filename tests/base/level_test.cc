// SPDX-License-Identifier: Apache-2.0
#include "base/level.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <tuple>

#include "base/cpu_features.h"
#include "tests/base/fake_cpu.h"

namespace quire {
namespace {

using namespace quire::test;
using enum Level;

LevelSet set_of(std::initializer_list<Level> levels) {
  LevelSet set;
  for (Level level : levels) set = set.with(level);
  return set;
}

LevelSet levels_on(const FakeCpu& cpu) { return levels_of(detect_cpu_features(cpu)); }

bool mentions(const Status& status, std::string_view text) { return status.message().find(text) != std::string::npos; }

TEST(Level, NamesReadBack) {
  for (Level level : kAllLevels) {
    const Result<Level> parsed = parse_level(to_string(level));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*parsed, level);
  }
  EXPECT_EQ(to_string(avx512bf16), "avx512bf16");
}

TEST(Level, UnknownNamesAreErrors) {
  for (const char* name : {"", "AVX2", "avx", "avx2 ", "avx5121", "avx512vnn"}) {
    const Result<Level> parsed = parse_level(name);
    ASSERT_FALSE(parsed.ok()) << name;
    EXPECT_EQ(parsed.status().code(), StatusCode::invalid_argument);
    EXPECT_TRUE(mentions(parsed.status(), std::string("\"") + name + "\""));
    EXPECT_TRUE(mentions(parsed.status(), "portable, avx2, avxvnni, avx512, avx512vnni, avx512bf16, amx"));
  }
}

TEST(LevelSet, CapsAndBest) {
  const LevelSet all = set_of({avx2, avxvnni, avx512, avx512vnni, avx512bf16, amx});
  EXPECT_EQ(all.best(), amx);
  EXPECT_EQ(all.up_to(avx512), set_of({avx2, avxvnni, avx512}));
  EXPECT_EQ(all.up_to(portable), LevelSet());
  EXPECT_EQ(LevelSet().best(), portable);
  EXPECT_TRUE(LevelSet().contains(portable));
  EXPECT_FALSE(set_of({avx512}).contains(avx2));
}

TEST(LevelsOf, CpusByName) {
  EXPECT_EQ(levels_on(penryn()), LevelSet());
  EXPECT_EQ(levels_on(nehalem()), LevelSet());
  EXPECT_EQ(levels_on(sandy_bridge()), LevelSet());
  EXPECT_EQ(levels_on(haswell()), set_of({avx2}));
  EXPECT_EQ(levels_on(zen_3()), set_of({avx2}));
  EXPECT_EQ(levels_on(alder_lake()), set_of({avx2, avxvnni}));
  EXPECT_EQ(levels_on(skylake_x()), set_of({avx2, avx512}));
  EXPECT_EQ(levels_on(cascade_lake()), set_of({avx2, avx512, avx512vnni}));
  EXPECT_EQ(levels_on(ice_lake()), set_of({avx2, avx512, avx512vnni}));
  EXPECT_EQ(levels_on(cooper_lake()), set_of({avx2, avx512, avx512vnni, avx512bf16}));
  EXPECT_EQ(levels_on(zen_4()), set_of({avx2, avx512, avx512vnni, avx512bf16}));
  EXPECT_EQ(levels_on(sapphire_rapids()), set_of({avx2, avxvnni, avx512, avx512vnni, avx512bf16, amx}));
}

TEST(LevelsOf, WhatTheSystemDoesNotSaveDoesNotRun) {
  FakeCpu cpu = sapphire_rapids();
  cpu.grants_amx = false;
  EXPECT_EQ(levels_on(cpu), set_of({avx2, avxvnni, avx512, avx512vnni, avx512bf16}));
  cpu.enabled = kAvxOn;
  EXPECT_EQ(levels_on(cpu), set_of({avx2, avxvnni}));
  cpu.enabled = kX87Sse;
  EXPECT_EQ(levels_on(cpu), LevelSet());
}

// Takes one feature from a CPU that has all of them and says which levels are left.
LevelSet without(bool CpuFeatures::*feature) {
  CpuFeatures f = detect_cpu_features(sapphire_rapids());
  f.*feature = false;
  return levels_of(f);
}

TEST(LevelsOf, EachFeatureIsNeeded) {
  for (auto feature :
       {&CpuFeatures::avx2, &CpuFeatures::fma, &CpuFeatures::f16c, &CpuFeatures::bmi2, &CpuFeatures::os_avx}) {
    EXPECT_EQ(without(feature), LevelSet());
  }
  for (auto feature : {&CpuFeatures::avx512f, &CpuFeatures::avx512bw, &CpuFeatures::avx512cd, &CpuFeatures::avx512dq,
                       &CpuFeatures::avx512vl, &CpuFeatures::os_avx512}) {
    EXPECT_EQ(without(feature), set_of({avx2, avxvnni}));
  }
  for (auto feature : {&CpuFeatures::amx_tile, &CpuFeatures::amx_bf16, &CpuFeatures::amx_int8, &CpuFeatures::os_amx}) {
    EXPECT_EQ(without(feature), set_of({avx2, avxvnni, avx512, avx512vnni, avx512bf16}));
  }
  EXPECT_EQ(without(&CpuFeatures::avx_vnni), set_of({avx2, avx512, avx512vnni, avx512bf16, amx}));
  EXPECT_EQ(without(&CpuFeatures::avx512_vnni), set_of({avx2, avxvnni, avx512, avx512bf16, amx}));
  EXPECT_EQ(without(&CpuFeatures::avx512_bf16), set_of({avx2, avxvnni, avx512, avx512vnni, amx}));
}

TEST(ChooseLevels, TakesAllWithoutAWish) {
  const LevelSet detected = set_of({avx2, avxvnni});
  const auto choice = choose_levels(detected, "", "");
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->levels, detected);
  EXPECT_EQ(choice->reason, "detected");
}

TEST(ChooseLevels, EnvironmentCaps) {
  const auto choice = choose_levels(set_of({avx2, avx512, avx512vnni}), "", "avx512");
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->levels, set_of({avx2, avx512}));
  EXPECT_EQ(choice->reason, "capped by QUIRE_LEVEL=avx512");
}

TEST(ChooseLevels, CallerComesBeforeTheEnvironment) {
  const auto choice = choose_levels(set_of({avx2, avx512}), "avx2", "portable");
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->levels, set_of({avx2}));
  EXPECT_EQ(choice->reason, "capped by the caller at avx2");
}

TEST(ChooseLevels, UnknownNameIsAnError) {
  for (const auto& [wish, environment, origin] :
       {std::tuple{"avx3", "", "the caller's level"}, std::tuple{"", "avx3", "QUIRE_LEVEL"}}) {
    const auto choice = choose_levels(set_of({avx2}), wish, environment);
    ASSERT_FALSE(choice.ok());
    EXPECT_EQ(choice.status().code(), StatusCode::invalid_argument);
    EXPECT_TRUE(mentions(choice.status(), origin)) << choice.status().message();
    EXPECT_TRUE(mentions(choice.status(), "\"avx3\"")) << choice.status().message();
    EXPECT_TRUE(mentions(choice.status(), "this machine runs portable, avx2")) << choice.status().message();
  }
}

TEST(ChooseLevels, LevelThatDoesNotRunHereIsAnError) {
  // avxvnni stands between avx2 and avx512, but a Skylake does not have it: the cap must name a level that runs.
  for (const char* name : {"amx", "avxvnni"}) {
    const auto choice = choose_levels(set_of({avx2, avx512}), "", name);
    ASSERT_FALSE(choice.ok());
    EXPECT_EQ(choice.status().code(), StatusCode::unsupported);
    EXPECT_TRUE(mentions(choice.status(), "QUIRE_LEVEL")) << choice.status().message();
    EXPECT_TRUE(mentions(choice.status(), name)) << choice.status().message();
    EXPECT_TRUE(mentions(choice.status(), "which runs portable, avx2, avx512")) << choice.status().message();
  }
}

// Sets QUIRE_LEVEL for a scope and puts back what was there.
class ScopedQuireLevel {
 public:
  explicit ScopedQuireLevel(const char* value) {
    if (const char* old = std::getenv("QUIRE_LEVEL")) old_ = old;
    if (value == nullptr) {
      ::unsetenv("QUIRE_LEVEL");
    } else {
      ::setenv("QUIRE_LEVEL", value, 1);
    }
  }
  ~ScopedQuireLevel() {
    if (old_.empty()) {
      ::unsetenv("QUIRE_LEVEL");
    } else {
      ::setenv("QUIRE_LEVEL", old_.c_str(), 1);
    }
  }

 private:
  std::string old_;
};

TEST(ChooseLevels, OfThisProcess) {
  const LevelSet detected = levels_of(cpu_features());
  {
    const ScopedQuireLevel unset(nullptr);
    const auto choice = choose_levels();
    ASSERT_TRUE(choice.ok());
    EXPECT_EQ(choice->levels, detected);
  }
  {
    const ScopedQuireLevel capped("portable");
    const auto choice = choose_levels();
    ASSERT_TRUE(choice.ok());
    EXPECT_EQ(choice->levels, LevelSet());
    EXPECT_EQ(choice->reason, "capped by QUIRE_LEVEL=portable");
  }
  {
    const ScopedQuireLevel wrong("fastest");
    EXPECT_FALSE(choose_levels().ok());
    EXPECT_TRUE(choose_levels("portable").ok());
  }
}

}  // namespace
}  // namespace quire
