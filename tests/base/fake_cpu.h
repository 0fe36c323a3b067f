// SPDX-License-Identifier: Apache-2.0
//
// CPUs that are not here. The register values are those that the InstLatx64 collection
// (github.com/InstLatx64/InstLatx64, commit 087af2c7) recorded on real machines; Cooper Lake, which it lacks, is its
// Cascade Lake with AVX512_BF16 added.
#pragma once

#include <gtest/gtest.h>

#include "base/cpu_features.h"

namespace quire::test {

class FakeCpu : public CpuidSource {
 public:
  std::uint32_t max_leaf = 0;
  std::uint32_t leaf_1_ecx = 0;
  CpuidRegisters leaf_7;
  std::uint32_t leaf_7_1_eax = 0;
  CpuidRegisters tiles;       // leaf 0x1D, subleaf 0
  CpuidRegisters palette_1;   // leaf 0x1D, subleaf 1
  std::uint64_t enabled = 0;  // XCR0
  bool grants_amx = false;
  mutable int amx_requests = 0;

  CpuidRegisters cpuid(std::uint32_t leaf, std::uint32_t subleaf) const override {
    // Real CPUs answer an unknown leaf with the data of their highest one, which means something else.
    if (leaf > max_leaf) return {~0u, ~0u, ~0u, ~0u};
    switch (leaf) {
      case 0:
        return {max_leaf, 0, 0, 0};
      case 1:
        return {0, 0, leaf_1_ecx, 0};
      case 7:
        return subleaf == 0 ? leaf_7 : CpuidRegisters{leaf_7_1_eax, 0, 0, 0};
      case 0x1D:
        return subleaf == 0 ? tiles : palette_1;
      default:
        return {};
    }
  }
  std::uint64_t xcr0() const override {
    EXPECT_TRUE((leaf_1_ecx >> 27 & 1u) != 0) << "XGETBV faults where the system has not enabled XSAVE";
    return enabled;
  }
  bool request_amx() const override {
    ++amx_requests;
    return grants_amx;
  }
};

// XCR0 as systems set it.
inline constexpr std::uint64_t kX87Sse = 0x3, kAvxOn = 0x7, kAvx512On = 0xE7, kAmxOn = 0x600E7;

inline FakeCpu make_cpu(std::uint32_t max_leaf, std::uint32_t leaf_1_ecx, CpuidRegisters leaf_7,
                        std::uint32_t leaf_7_1_eax, std::uint64_t enabled) {
  FakeCpu cpu;
  cpu.max_leaf = max_leaf;
  cpu.leaf_1_ecx = leaf_1_ecx;
  cpu.leaf_7 = leaf_7;
  cpu.leaf_7_1_eax = leaf_7_1_eax;
  cpu.enabled = enabled;
  return cpu;
}

inline FakeCpu penryn() { return make_cpu(0xA, 0x0008E3FD, {}, 0, 0); }
inline FakeCpu nehalem() { return make_cpu(0xB, 0x0098E3BD, {}, 0, 0); }
inline FakeCpu sandy_bridge() { return make_cpu(0xD, 0x1FBAE3FF, {}, 0, kAvxOn); }
inline FakeCpu haswell() { return make_cpu(0xD, 0x7FFAFBFF, {0, 0x000027AB, 0, 0}, 0, kAvxOn); }
inline FakeCpu zen_3() { return make_cpu(0x10, 0x7EF8320B, {0, 0x219C95A9, 0x0040068C, 0}, 0, kAvxOn); }
inline FakeCpu skylake_x() { return make_cpu(0x16, 0x7FFEFBBF, {0, 0xD39FFFFB, 0, 0}, 0, kAvx512On); }
inline FakeCpu cascade_lake() {
  return make_cpu(0x16, 0x7FFEFBBF, {0, 0xD39FFFFB, 0x00000800, 0xBC000400}, 0, kAvx512On);
}
inline FakeCpu cooper_lake() {
  return make_cpu(0x16, 0x7FFEFBBF, {1, 0xD39FFFFB, 0x00000800, 0xBC000400}, 0x20, kAvx512On);
}
inline FakeCpu ice_lake() { return make_cpu(0x1B, 0x7FFAFBBF, {0, 0xF2BF27EF, 0x40405F4E, 0xBC000410}, 0, kAvx512On); }
inline FakeCpu alder_lake() {
  return make_cpu(0x20, 0x7FFAFBFF, {1, 0x239CA7EB, 0x98C027AC, 0xFC1CC410}, 0x00400810, kAvxOn);
}
inline FakeCpu zen_4() { return make_cpu(0x10, 0x7EF8320B, {1, 0xF1BF97A9, 0x00405FCE, 0x10000010}, 0x20, kAvx512On); }
inline FakeCpu sapphire_rapids() {
  FakeCpu cpu = make_cpu(0x20, 0x7FFEFBFF, {2, 0xF3BFBFFB, 0xBB417FEE, 0xFFDD4430}, 0x00001C30, kAmxOn);
  cpu.tiles = {1, 0, 0, 0};
  cpu.palette_1 = {0x04002000, 0x00080040, 0x00000010, 0};
  cpu.grants_amx = true;
  return cpu;
}

}  // namespace quire::test
