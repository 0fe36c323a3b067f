// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_features.h"

namespace quire {
namespace {

bool bit(std::uint32_t word, int index) { return (word >> index & 1u) != 0; }

// Register state the operating system switches, as bits of XCR0.
constexpr std::uint64_t kXcr0Avx = 0x6;      // SSE and the upper halves of ymm
constexpr std::uint64_t kXcr0Avx512 = 0xE6;  // and opmask, upper halves of zmm0-15, zmm16-31
constexpr std::uint64_t kXcr0Amx = 0x60000;  // tile configuration and tile data

bool has_all(std::uint64_t word, std::uint64_t mask) { return (word & mask) == mask; }

void read_leaf_1(const CpuidRegisters& leaf, CpuFeatures& f) {
  f.fma = bit(leaf.ecx, 12);
  f.avx = bit(leaf.ecx, 28);
  f.f16c = bit(leaf.ecx, 29);
}

void read_leaf_7(const CpuidRegisters& leaf, CpuFeatures& f) {
  f.avx2 = bit(leaf.ebx, 5);
  f.bmi2 = bit(leaf.ebx, 8);
  f.avx512f = bit(leaf.ebx, 16);
  f.avx512dq = bit(leaf.ebx, 17);
  f.avx512cd = bit(leaf.ebx, 28);
  f.avx512bw = bit(leaf.ebx, 30);
  f.avx512vl = bit(leaf.ebx, 31);
  f.avx512_vnni = bit(leaf.ecx, 11);
  f.amx_bf16 = bit(leaf.edx, 22);
  f.amx_tile = bit(leaf.edx, 24);
  f.amx_int8 = bit(leaf.edx, 25);
}

void read_leaf_7_1(const CpuidRegisters& leaf, CpuFeatures& f) {
  f.avx_vnni = bit(leaf.eax, 4);
  f.avx512_bf16 = bit(leaf.eax, 5);
}

// The kernels are written for palette 1 as it is today: 8 tiles of 16 rows of 64 bytes.
bool has_palette_1(const CpuidSource& source, std::uint32_t max_leaf) {
  constexpr std::uint32_t kTileLeaf = 0x1D;
  if (max_leaf < kTileLeaf || source.cpuid(kTileLeaf, 0).eax < 1) return false;
  const CpuidRegisters palette = source.cpuid(kTileLeaf, 1);
  const std::uint32_t bytes_per_tile = palette.eax >> 16;
  const std::uint32_t bytes_per_row = palette.ebx & 0xFFFF;
  const std::uint32_t tiles = palette.ebx >> 16;
  const std::uint32_t rows = palette.ecx & 0xFFFF;
  return bytes_per_tile == 1024 && bytes_per_row == 64 && tiles >= 8 && rows == 16;
}

}  // namespace

CpuFeatures detect_cpu_features(const CpuidSource& source) {
  CpuFeatures f;
  const std::uint32_t max_leaf = source.cpuid(0, 0).eax;
  if (max_leaf < 1) return f;
  const CpuidRegisters leaf_1 = source.cpuid(1, 0);
  read_leaf_1(leaf_1, f);
  if (max_leaf >= 7) {
    const CpuidRegisters leaf_7 = source.cpuid(7, 0);
    read_leaf_7(leaf_7, f);
    if (leaf_7.eax >= 1) read_leaf_7_1(source.cpuid(7, 1), f);
  }

  const bool os_uses_xsave = bit(leaf_1.ecx, 27);
  if (!os_uses_xsave) return f;
  const std::uint64_t xcr0 = source.xcr0();
  f.os_avx = has_all(xcr0, kXcr0Avx);
  f.os_avx512 = has_all(xcr0, kXcr0Avx512);
  // Permission comes last: it changes the process (larger signal frames), so only a CPU that has tiles is asked.
  f.os_amx = f.amx_tile && has_all(xcr0, kXcr0Amx) && has_palette_1(source, max_leaf) && source.request_amx();
  return f;
}

}  // namespace quire
