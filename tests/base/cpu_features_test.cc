// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_features.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/base/fake_cpu.h"

namespace quire {
namespace {

using namespace quire::test;

CpuFeatures avx2_machine() {
  CpuFeatures f;
  f.avx = f.f16c = f.fma = f.avx2 = f.bmi2 = f.os_avx = true;
  return f;
}

CpuFeatures avx512_machine() {
  CpuFeatures f = avx2_machine();
  f.avx512f = f.avx512bw = f.avx512cd = f.avx512dq = f.avx512vl = f.os_avx512 = true;
  return f;
}

CpuFeatures amx_machine() {
  CpuFeatures f = avx512_machine();
  f.avx512_vnni = f.avx512_bf16 = f.avx_vnni = true;
  f.amx_tile = f.amx_bf16 = f.amx_int8 = f.os_amx = true;
  return f;
}

TEST(CpuFeatures, OfCpusWithoutAvx) {
  EXPECT_EQ(detect_cpu_features(penryn()), CpuFeatures{});
  EXPECT_EQ(detect_cpu_features(nehalem()), CpuFeatures{});
}

TEST(CpuFeatures, OfSandyBridge) {
  CpuFeatures expected;
  expected.avx = expected.os_avx = true;
  EXPECT_EQ(detect_cpu_features(sandy_bridge()), expected);
}

TEST(CpuFeatures, OfAvx2Cpus) {
  EXPECT_EQ(detect_cpu_features(haswell()), avx2_machine());
  EXPECT_EQ(detect_cpu_features(zen_3()), avx2_machine());
}

TEST(CpuFeatures, OfAvx512Cpus) {
  CpuFeatures expected = avx512_machine();
  EXPECT_EQ(detect_cpu_features(skylake_x()), expected);
  expected.avx512_vnni = true;
  EXPECT_EQ(detect_cpu_features(cascade_lake()), expected);
  EXPECT_EQ(detect_cpu_features(ice_lake()), expected);
  expected.avx512_bf16 = true;
  EXPECT_EQ(detect_cpu_features(cooper_lake()), expected);
  EXPECT_EQ(detect_cpu_features(zen_4()), expected);
}

TEST(CpuFeatures, OfAlderLake) {
  CpuFeatures expected = avx2_machine();
  expected.avx_vnni = true;
  EXPECT_EQ(detect_cpu_features(alder_lake()), expected);
}

TEST(CpuFeatures, OfSapphireRapids) {
  const FakeCpu cpu = sapphire_rapids();
  EXPECT_EQ(detect_cpu_features(cpu), amx_machine());
  EXPECT_EQ(cpu.amx_requests, 1);
}

TEST(CpuFeatures, LeavesAboveTheHighestAreNotRead) {
  FakeCpu cpu = haswell();
  cpu.max_leaf = 6;  // as a BIOS that limits CPUID for an old system does
  CpuFeatures expected;
  expected.avx = expected.f16c = expected.fma = expected.os_avx = true;
  EXPECT_EQ(detect_cpu_features(cpu), expected);
  cpu.max_leaf = 0;
  EXPECT_EQ(detect_cpu_features(cpu), CpuFeatures{});
}

TEST(CpuFeatures, SubleavesAboveTheHighestAreNotRead) {
  FakeCpu cpu = cascade_lake();
  cpu.leaf_7_1_eax = ~0u;  // leaf 7 says that subleaf 0 is its last
  const CpuFeatures found = detect_cpu_features(cpu);
  EXPECT_FALSE(found.avx_vnni);
  EXPECT_FALSE(found.avx512_bf16);
}

TEST(CpuFeatures, SystemThatDoesNotSaveYmm) {
  FakeCpu cpu = haswell();
  cpu.enabled = kX87Sse;
  EXPECT_TRUE(detect_cpu_features(cpu).avx2);
  EXPECT_FALSE(detect_cpu_features(cpu).os_avx);
  cpu.enabled = 0x5;  // ymm without xmm: no valid state
  EXPECT_FALSE(detect_cpu_features(cpu).os_avx);
}

TEST(CpuFeatures, SystemThatDoesNotUseXsave) {
  FakeCpu cpu = sapphire_rapids();
  cpu.leaf_1_ecx &= ~(1u << 27);
  const CpuFeatures found = detect_cpu_features(cpu);  // the fake fails the test if XCR0 is read
  EXPECT_FALSE(found.os_avx || found.os_avx512 || found.os_amx);
  EXPECT_EQ(cpu.amx_requests, 0);
}

TEST(CpuFeatures, SystemThatSavesOnlyPartOfZmm) {
  for (const std::uint64_t missing : {0x20, 0x40, 0x80}) {
    FakeCpu cpu = skylake_x();
    cpu.enabled &= ~missing;
    EXPECT_FALSE(detect_cpu_features(cpu).os_avx512) << missing;
    EXPECT_TRUE(detect_cpu_features(cpu).os_avx) << missing;
  }
}

TEST(CpuFeatures, SystemThatDoesNotSaveTilesIsNotAsked) {
  for (const std::uint64_t missing : {0x20000, 0x40000, 0x60000}) {
    FakeCpu cpu = sapphire_rapids();
    cpu.enabled &= ~missing;
    CpuFeatures expected = amx_machine();
    expected.os_amx = false;
    EXPECT_EQ(detect_cpu_features(cpu), expected) << missing;
    EXPECT_EQ(cpu.amx_requests, 0) << missing;
  }
}

TEST(CpuFeatures, RefusedTilePermission) {
  FakeCpu cpu = sapphire_rapids();
  cpu.grants_amx = false;
  CpuFeatures expected = amx_machine();
  expected.os_amx = false;
  EXPECT_EQ(detect_cpu_features(cpu), expected);
  EXPECT_EQ(cpu.amx_requests, 1);
}

TEST(CpuFeatures, CpuWithoutTilesIsNotAsked) {
  FakeCpu cpu = cascade_lake();
  cpu.enabled = kAmxOn;
  cpu.grants_amx = true;
  EXPECT_FALSE(detect_cpu_features(cpu).os_amx);
  EXPECT_EQ(cpu.amx_requests, 0);
}

TEST(CpuFeatures, PaletteOtherThanTheKernelsUse) {
  const FakeCpu good = sapphire_rapids();
  FakeCpu no_palette = good, small_tiles = good, short_rows = good, few_tiles = good, few_rows = good, no_leaf = good;
  no_palette.tiles.eax = 0;
  small_tiles.palette_1.eax = 0x02002000;
  short_rows.palette_1.ebx = 0x00080020;
  few_tiles.palette_1.ebx = 0x00040040;
  few_rows.palette_1.ecx = 8;
  no_leaf.max_leaf = 0x1C;
  for (const FakeCpu* cpu : {&no_palette, &small_tiles, &short_rows, &few_tiles, &few_rows, &no_leaf}) {
    EXPECT_FALSE(detect_cpu_features(*cpu).os_amx);
    EXPECT_EQ(cpu->amx_requests, 0);
  }
}

#if defined(__x86_64__)

// The kernel's own list of this CPU, which also leaves out what it does not save and restore.
std::string kernel_flags() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("flags", 0) == 0) return line.substr(line.find(':') + 1) + " ";
  }
  return {};
}

TEST(ThisMachine, AgreesWithTheKernel) {
  const std::string flags = kernel_flags();
  ASSERT_FALSE(flags.empty());
  const auto says = [&](const char* name) { return flags.find(std::string(" ") + name + " ") != std::string::npos; };
  const CpuFeatures& f = cpu_features();
  EXPECT_EQ(f.avx && f.os_avx, says("avx"));
  EXPECT_EQ(f.f16c && f.os_avx, says("f16c"));
  EXPECT_EQ(f.fma && f.os_avx, says("fma"));
  EXPECT_EQ(f.avx2 && f.os_avx, says("avx2"));
  EXPECT_EQ(f.bmi2, says("bmi2"));
  EXPECT_EQ(f.avx512f && f.os_avx512, says("avx512f"));
  EXPECT_EQ(f.avx512bw && f.os_avx512, says("avx512bw"));
  EXPECT_EQ(f.avx512cd && f.os_avx512, says("avx512cd"));
  EXPECT_EQ(f.avx512dq && f.os_avx512, says("avx512dq"));
  EXPECT_EQ(f.avx512vl && f.os_avx512, says("avx512vl"));
  EXPECT_EQ(f.avx512_vnni && f.os_avx512, says("avx512_vnni"));
  EXPECT_EQ(f.avx512_bf16 && f.os_avx512, says("avx512_bf16"));
  EXPECT_EQ(f.avx_vnni && f.os_avx, says("avx_vnni"));
  // A system may know the tiles and refuse them to this process, so only one direction holds.
  EXPECT_TRUE(!f.os_amx || says("amx_tile"));
}

TEST(ThisMachine, AsksOnceAndHasAName) {
  EXPECT_EQ(&cpu_features(), &cpu_features());
  const std::string name = cpu_name();
  ASSERT_FALSE(name.empty());
  EXPECT_NE(name.front(), ' ');
  EXPECT_NE(name.back(), ' ');
  EXPECT_EQ(name.find('\0'), std::string::npos);
}

#endif

}  // namespace
}  // namespace quire
