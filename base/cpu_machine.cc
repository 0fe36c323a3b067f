// SPDX-License-Identifier: Apache-2.0
//
// The real CPU behind cpu_features(): CPUID, XCR0 and the kernel's word on AMX. Assembler instead of intrinsics, so
// that this file needs no instruction-set flag and can't itself contain what it tests for.
#include <sys/utsname.h>

#include <array>
#include <cstring>

#include "base/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace quire {
namespace {

#if defined(__x86_64__)

// What LDTILECFG reads: Intel SDM vol. 1, 18.3 "TILECFG".
struct alignas(64) TileConfig {
  std::uint8_t palette = 0;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t bytes_per_row[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

// Configures all eight tiles at full size and reads the configuration back: a hypervisor may show the CPUID bits of a
// CPU whose tiles it does not keep.
bool tiles_take_full_palette() {
  TileConfig wanted;
  wanted.palette = 1;
  for (int tile = 0; tile < 8; ++tile) {
    wanted.bytes_per_row[tile] = 64;
    wanted.rows[tile] = 16;
  }
  TileConfig found;
  asm volatile("ldtilecfg %0" : : "m"(wanted));
  asm volatile("sttilecfg %0" : "=m"(found));
  asm volatile("tilerelease");
  return std::memcmp(&wanted, &found, sizeof wanted) == 0;
}

class MachineCpuid final : public CpuidSource {
 public:
  CpuidRegisters cpuid(std::uint32_t leaf, std::uint32_t subleaf) const override {
    CpuidRegisters r;
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
    return r;
  }

  std::uint64_t xcr0() const override {
    std::uint32_t low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return std::uint64_t{high} << 32 | low;
  }

  bool request_amx() const override {
    constexpr long kArchReqXcompPerm = 0x1023;  // asm/prctl.h of kernels that know it (5.16)
    constexpr long kXfeatureXtiledata = 18;
    return ::syscall(SYS_arch_prctl, kArchReqXcompPerm, kXfeatureXtiledata) == 0 && tiles_take_full_palette();
  }
};

// The brand string: 48 characters in leaves 0x80000002 to 0x80000004, padded with blanks or zeros.
std::string brand_string(const CpuidSource& source) {
  constexpr std::uint32_t kFirst = 0x80000002, kLast = 0x80000004;
  if (source.cpuid(0x80000000, 0).eax < kLast) return {};
  std::array<CpuidRegisters, 3> leaves;
  for (std::uint32_t leaf = kFirst; leaf <= kLast; ++leaf) leaves[leaf - kFirst] = source.cpuid(leaf, 0);
  std::string name(sizeof leaves, '\0');
  std::memcpy(name.data(), leaves.data(), sizeof leaves);
  name.resize(::strnlen(name.data(), name.size()));
  const auto first = name.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return name.substr(first, name.find_last_not_of(' ') - first + 1);
}

#endif

// "x86_64", "aarch64": better than nothing where the CPU has no name of its own.
std::string machine_name() {
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "unknown CPU";
}

}  // namespace

#if defined(__x86_64__)

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = detect_cpu_features(MachineCpuid{});
  return features;
}

std::string cpu_name() {
  const std::string brand = brand_string(MachineCpuid{});
  return brand.empty() ? machine_name() : brand;
}

#else

const CpuFeatures& cpu_features() {
  static const CpuFeatures none;
  return none;
}

std::string cpu_name() { return machine_name(); }

#endif

}  // namespace quire
