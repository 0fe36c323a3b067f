// SPDX-License-Identifier: Apache-2.0
//
// What the CPU can do and the operating system lets us do. Sources: Intel SDM vol. 1 ch. 13 (XCR0), vol. 2A CPUID;
// Linux Documentation/arch/x86/xstate.rst (AMX permission).
#pragma once

#include <cstdint>
#include <string>

namespace quire {

struct CpuFeatures {
  bool avx = false, f16c = false, fma = false, avx2 = false, bmi2 = false;
  bool avx512f = false, avx512bw = false, avx512cd = false, avx512dq = false, avx512vl = false;
  bool avx512_vnni = false, avx512_bf16 = false, avx_vnni = false;
  bool amx_tile = false, amx_bf16 = false, amx_int8 = false;
  // What the OS saves and restores (XCR0), and for AMX also permits and a palette-1 check confirms.
  bool os_avx = false, os_avx512 = false, os_amx = false;

  bool operator==(const CpuFeatures&) const = default;
};

// The raw facts detection works from; tests feed those of CPUs that are not here.
struct CpuidRegisters {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};
class CpuidSource {
 public:
  virtual ~CpuidSource() = default;
  virtual CpuidRegisters cpuid(std::uint32_t leaf, std::uint32_t subleaf) const = 0;
  virtual std::uint64_t xcr0() const = 0;  // only called when CPUID says OSXSAVE
  virtual bool request_amx() const = 0;    // arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA) granted?
};

CpuFeatures detect_cpu_features(const CpuidSource& source);

// This machine's, found once. Asks the kernel for AMX permission on first use.
const CpuFeatures& cpu_features();

// "Intel(R) Xeon(R) Processor", or what the machine calls itself.
std::string cpu_name();

}  // namespace quire
