// SPDX-License-Identifier: Apache-2.0
//
// How many threads may be used: min(affinity mask, cgroup quota rounded up, physical cores in the mask). Logical cores
// share a core's vector units, and threads beyond the quota are stopped by the kernel in the middle of a barrier.
// Sources: Linux Documentation/admin-guide/cgroup-v2.rst (cpu.max), scheduler/sched-bwc.rst (v1), sched_getaffinity(2).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace quire {

struct CpuLimits {
  int affinity = 0;         // CPUs in this process's mask
  int physical_cores = 0;   // distinct cores among them; = affinity where the topology is unknown
  double cgroup_quota = 0;  // CPUs' worth of time; 0: no quota
};

// Reads /proc and /sys below `root` ("" for the real ones; tests pass a folder of their own), walking the cgroup
// hierarchy up to its root and taking the smallest quota. What is missing or malformed sets no limit. `mask`: the CPUs
// that may be used, in tests those of another machine; by default this thread's affinity mask, which a pool inherits.
CpuLimits read_cpu_limits(const std::string& root = "");
CpuLimits read_cpu_limits(const std::string& root, const std::vector<int>& mask);

struct ThreadChoice {
  int threads = 1;
  std::string reason;  // "2 physical cores; affinity 2; no cgroup quota" or "asked for"
};

// Pure. wish 0: the limit. A wish must be in 1..affinity, else an error naming both.
Result<ThreadChoice> choose_threads(const CpuLimits& limits, int wish);

}  // namespace quire
