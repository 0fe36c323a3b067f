// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>

#include "base/cgroup.h"
#include "base/system_file.h"

namespace quire {
namespace {

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

// Nothing if `cpus` is less than the kernel's own mask holds.
std::optional<std::vector<int>> read_affinity(int cpus) {
  const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(static_cast<std::size_t>(cpus)));
  const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpus));
  if (set == nullptr) return std::nullopt;
  CPU_ZERO_S(bytes, set.get());
  if (::sched_getaffinity(0, bytes, set.get()) != 0) return std::nullopt;
  std::vector<int> mask;
  for (int cpu = 0; cpu < cpus; ++cpu) {
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.get())) mask.push_back(cpu);
  }
  return mask;
}

std::vector<int> affinity_mask() {
  constexpr int kUsual = 1024, kLargest = 1 << 20;
  for (int cpus = kUsual; cpus <= kLargest; cpus *= 2) {
    if (auto mask = read_affinity(cpus)) return *std::move(mask);
  }
  // A sandbox that forbids the call: all CPUs that are online, numbered as if none were missing.
  std::vector<int> mask;
  const int online = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  for (int cpu = 0; cpu < online; ++cpu) mask.push_back(cpu);
  return mask;
}

std::optional<std::int64_t> read_id(const std::string& path) {
  const std::optional<std::string> text = read_system_file(path);
  const std::optional<std::int64_t> id = text ? parse_integer(*text) : std::nullopt;
  return id && *id >= 0 ? id : std::nullopt;
}

// A name that CPUs have in common exactly when they are threads of one core. The list of siblings comes first, since
// core ids repeat on the dies of some packages. A CPU that says neither is a core of its own.
std::string core_of(const std::string& root, int cpu) {
  const std::string self = std::to_string(cpu);
  const std::string topology = root + "/sys/devices/system/cpu/cpu" + self + "/topology/";
  const std::optional<std::string> siblings = read_system_file(topology + "thread_siblings_list");
  if (siblings && !siblings->empty() && siblings->find_first_not_of("0123456789,-\n") == std::string::npos) {
    return "siblings " + *siblings;
  }
  const auto package = read_id(topology + "physical_package_id");
  const auto core = read_id(topology + "core_id");
  if (package && core) return "core " + std::to_string(*package) + "/" + std::to_string(*core);
  return "cpu " + self;
}

int count_cores(const std::string& root, const std::vector<int>& mask) {
  std::set<std::string> cores;
  for (int cpu : mask) cores.insert(core_of(root, cpu));
  return static_cast<int>(cores.size());
}

std::string describe(const CpuLimits& limits) {
  const std::string cores = limits.physical_cores == 1 ? " physical core" : " physical cores";
  std::string text = std::to_string(limits.physical_cores) + cores + "; affinity " + std::to_string(limits.affinity);
  if (limits.cgroup_quota <= 0) return text + "; no cgroup quota";
  char quota[32];
  std::snprintf(quota, sizeof quota, "%.3g", limits.cgroup_quota);
  return text + "; cgroup quota " + quota;
}

int thread_limit(const CpuLimits& limits) {
  double threads = std::min(limits.affinity, limits.physical_cores);
  if (limits.cgroup_quota > 0) threads = std::min(threads, std::ceil(limits.cgroup_quota));
  return std::max(1, static_cast<int>(threads));
}

}  // namespace

CpuLimits read_cpu_limits(const std::string& root) { return read_cpu_limits(root, affinity_mask()); }

CpuLimits read_cpu_limits(const std::string& root, const std::vector<int>& mask) {
  CpuLimits limits;
  limits.affinity = static_cast<int>(mask.size());
  limits.physical_cores = count_cores(root, mask);
  limits.cgroup_quota = read_cgroup_quota(root);
  return limits;
}

Result<ThreadChoice> choose_threads(const CpuLimits& limits, int wish) {
  if (wish == 0) return ThreadChoice{thread_limit(limits), describe(limits)};
  const int most = std::max(1, limits.affinity);
  if (wish < 0 || wish > most) {
    return invalid_argument(std::to_string(wish) + " threads asked for; allowed are 1 to " + std::to_string(most) +
                            ", the CPUs in the affinity mask, or 0 for the default");
  }
  return ThreadChoice{wish, "asked for"};
}

}  // namespace quire
