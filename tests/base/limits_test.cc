// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace quire {
namespace {

using test::TempDir;

// A /proc and a /sys of another machine.
class Machine {
 public:
  Machine& file(const std::string& path, const std::string& content) {
    folder_.write(path.substr(1), content);
    return *this;
  }
  Machine& cgroup(const std::string& lines) { return file("/proc/self/cgroup", lines); }
  Machine& mounts(const std::string& lines) { return file("/proc/self/mountinfo", lines); }
  Machine& cpu(int number, const std::string& name, const std::string& content) {
    return file("/sys/devices/system/cpu/cpu" + std::to_string(number) + "/topology/" + name, content);
  }

  CpuLimits limits(const std::vector<int>& mask = {0}) const { return read_cpu_limits(folder_.path().string(), mask); }
  double quota() const { return limits().cgroup_quota; }

 private:
  TempDir folder_;
};

const std::string kMountV2 = "24 1 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string kMountV1 = "33 25 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:12 - cgroup cgroup rw,cpu,cpuacct\n";

TEST(CgroupV2, ReadsTheQuotaOfItsGroup) {
  Machine machine;
  machine.cgroup("0::/work\n").mounts(kMountV2).file("/sys/fs/cgroup/work/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 1.5);
}

TEST(CgroupV2, TakesTheSmallestOnTheWayUp) {
  Machine machine;
  machine.cgroup("0::/a/b/c\n")
      .mounts(kMountV2)
      .file("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n")
      .file("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n")
      .file("/sys/fs/cgroup/a/cpu.max", "100000 50000\n")
      .file("/sys/fs/cgroup/b/cpu.max", "10000 100000\n");  // not ours
  EXPECT_DOUBLE_EQ(machine.quota(), 2.0);
}

TEST(CgroupV2, MaxIsNoQuota) {
  Machine machine;
  machine.cgroup("0::/work\n").mounts(kMountV2).file("/sys/fs/cgroup/work/cpu.max", "max 100000\n");
  EXPECT_EQ(machine.quota(), 0.0);
}

TEST(CgroupV2, InANamespaceOfItsOwnTheMountPointIsTheGroup) {
  Machine machine;
  machine.cgroup("0::/\n").mounts(kMountV2).file("/sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 3.0);
}

TEST(CgroupV2, GroupAboveTheNamespaceFallsBackToTheMountPoint) {
  Machine machine;
  machine.cgroup("0::/../../elsewhere\n")
      .mounts(kMountV2)
      .file("/sys/fs/cgroup/cpu.max", "50000 100000\n")
      .file("/sys/elsewhere/cpu.max", "10000 100000\n");  // where the path would lead if it were followed
  EXPECT_DOUBLE_EQ(machine.quota(), 0.5);
}

TEST(CgroupV2, MountedPartOfTheHierarchy) {
  Machine machine;
  machine.cgroup("0::/docker/abc/inner\n")
      .mounts("24 1 0:22 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n")
      .file("/sys/fs/cgroup/inner/cpu.max", "700000 100000\n")
      .file("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 4.0);
}

TEST(CgroupV2, ANameThatOnlyBeginsLikeTheMountedPartIsAnother) {
  Machine machine;
  machine.cgroup("0::/docker/abcd\n")
      .mounts("24 1 0:22 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n")
      .file("/sys/fs/cgroupd/cpu.max", "100000 100000\n")
      .file("/sys/fs/cgroup/d/cpu.max", "100000 100000\n");
  EXPECT_EQ(machine.quota(), 0.0);
}

TEST(CgroupV2, MountPointWithABlank) {
  Machine machine;
  machine.cgroup("0::/\n")
      .mounts("24 1 0:22 / /my\\040groups rw - cgroup2 cgroup2 rw\n")
      .file("/my groups/cpu.max", "200000 100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 2.0);
}

TEST(CgroupV1, ReadsQuotaAndPeriod) {
  Machine machine;
  machine.cgroup("11:memory:/x\n4:cpu,cpuacct:/pod\n")
      .mounts(kMountV1)
      .file("/sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_quota_us", "250000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_period_us", "100000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 2.5);
}

TEST(CgroupV1, MinusOneIsNoQuota) {
  Machine machine;
  machine.cgroup("4:cpu,cpuacct:/\n")
      .mounts(kMountV1)
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(machine.quota(), 0.0);
}

TEST(CgroupV1, OtherControllersAreNotLookedAt) {
  Machine machine;
  machine.cgroup("4:cpuacct:/pod\n5:cpuset:/pod\n")
      .mounts("33 25 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n")
      .file("/sys/fs/cgroup/cpuset/pod/cpu.cfs_quota_us", "100000\n")
      .file("/sys/fs/cgroup/cpuset/pod/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(machine.quota(), 0.0);
}

TEST(CgroupV1, ContainerSeesItsGroupAsTheMountPoint) {
  Machine machine;
  machine.cgroup("4:cpu,cpuacct:/docker/abc\n")
      .mounts("33 25 0:30 /docker/abc /sys/fs/cgroup/cpu ro master:9 propagate_from:2 - cgroup cgroup rw,cpuacct,cpu\n")
      .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n")
      .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 0.5);
}

TEST(Cgroup, BothVersionsAtOnceTakeTheSmaller) {
  Machine machine;
  machine.cgroup("4:cpu,cpuacct:/pod\n0::/pod\n")
      .mounts(kMountV1 + "34 25 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_quota_us", "300000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_period_us", "100000\n")
      .file("/sys/fs/cgroup/unified/pod/cpu.max", "200000 100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 2.0);
}

TEST(Cgroup, NothingThere) {
  EXPECT_EQ(Machine().quota(), 0.0);
  Machine no_mount;
  no_mount.cgroup("0::/work\n");
  EXPECT_EQ(no_mount.quota(), 0.0);
  Machine no_file;
  no_file.cgroup("0::/work\n").mounts(kMountV2);
  EXPECT_EQ(no_file.quota(), 0.0);
}

TEST(Cgroup, MalformedQuotasSetNoLimit) {
  for (const char* content : {"", "\n", "100000", "100000 ", "abc 100000", "100000 0", "0 100000", "-5 100000",
                              "100000 -1", "1e5 100000", "99999999999999999999 1", "100000 100000 100000"}) {
    Machine machine;
    machine.cgroup("0::/\n").mounts(kMountV2).file("/sys/fs/cgroup/cpu.max", content);
    EXPECT_EQ(machine.quota(), 0.0) << "\"" << content << "\"";
  }
}

TEST(Cgroup, MalformedTablesSetNoLimit) {
  const std::string junk = "\n:\n::\n0:\n0::\n0::relative\n4:cpu\n" + std::string("\0\xFF\0", 3) + "\n";
  const std::string junk_mounts = "\n-\n- - -\n1 2 3\n1 2 3 4 5 6 -\n1 2 3 4 5 6 - cgroup2\n1 2 - cgroup2 a b\n\\\n" +
                                  std::string("1 2 3 \\0 \\04 rw - cgroup2 x y\n");
  Machine machine;
  machine.cgroup(junk + "0::/\n").mounts(junk_mounts);
  EXPECT_EQ(machine.quota(), 0.0);
  machine.mounts(junk_mounts + kMountV2).file("/sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_DOUBLE_EQ(machine.quota(), 2.0) << "good lines among bad ones count";
}

TEST(Cgroup, LongPathsEnd) {
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "/d";
  Machine machine;
  machine.cgroup("0::" + deep + "\n").mounts(kMountV2).file("/sys/fs/cgroup/d/cpu.max", "100000 100000\n");
  EXPECT_DOUBLE_EQ(machine.quota(), 1.0);
  // Longer than any path can be: not a path.
  for (const char filler : {'x', '/'}) {
    machine.cgroup("0::/d" + std::string(1000000, filler) + "\n");
    EXPECT_EQ(machine.quota(), 0.0);
  }
}

TEST(PhysicalCores, BySiblings) {
  Machine machine;
  machine.cpu(0, "thread_siblings_list", "0,4\n").cpu(4, "thread_siblings_list", "0,4\n");
  machine.cpu(1, "thread_siblings_list", "1,5\n").cpu(5, "thread_siblings_list", "1,5\n");
  EXPECT_EQ(machine.limits({0, 1, 4, 5}).physical_cores, 2);
  EXPECT_EQ(machine.limits({0, 1, 4, 5}).affinity, 4);
  EXPECT_EQ(machine.limits({0, 4}).physical_cores, 1);
  EXPECT_EQ(machine.limits({4, 5}).physical_cores, 2);
}

TEST(PhysicalCores, ByPackageAndCore) {
  Machine machine;
  for (int cpu = 0; cpu < 8; ++cpu) {  // two packages of two cores of two threads
    machine.cpu(cpu, "core_id", std::to_string(cpu % 2) + "\n");
    machine.cpu(cpu, "physical_package_id", std::to_string(cpu / 2 % 2) + "\n");
  }
  EXPECT_EQ(machine.limits({0, 1, 2, 3, 4, 5, 6, 7}).physical_cores, 4);
  EXPECT_EQ(machine.limits({0, 2, 4, 6}).physical_cores, 2);
}

TEST(PhysicalCores, UnknownTopologyCountsEachCpu) {
  Machine machine;
  EXPECT_EQ(machine.limits({0, 1, 2}).physical_cores, 3);
  machine.cpu(0, "core_id", "-1\n").cpu(0, "physical_package_id", "-1\n");
  machine.cpu(1, "core_id", "-1\n").cpu(1, "physical_package_id", "-1\n");
  machine.cpu(2, "thread_siblings_list", "what?\n").cpu(2, "core_id", "x").cpu(2, "physical_package_id", "");
  EXPECT_EQ(machine.limits({0, 1, 2}).physical_cores, 3);
}

TEST(PhysicalCores, CpusBeyondTheUsualMask) { EXPECT_EQ(Machine().limits({0, 1024, 5000}).physical_cores, 3); }

TEST(ThisMachine, AffinityFollowsTheMask) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  const CpuLimits limits = read_cpu_limits();
  EXPECT_EQ(limits.affinity, CPU_COUNT(&before));
  EXPECT_GE(limits.physical_cores, 1);
  EXPECT_LE(limits.physical_cores, limits.affinity);
  EXPECT_GE(limits.cgroup_quota, 0.0);

  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const CpuLimits narrowed = read_cpu_limits();
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(narrowed.affinity, 1);
  EXPECT_EQ(narrowed.physical_cores, 1);
}

CpuLimits limits_of(int affinity, int cores, double quota) {
  CpuLimits limits;
  limits.affinity = affinity;
  limits.physical_cores = cores;
  limits.cgroup_quota = quota;
  return limits;
}

int threads_by_default(const CpuLimits& limits) { return choose_threads(limits, 0).value().threads; }

TEST(ChooseThreads, TakesTheSmallestLimit) {
  EXPECT_EQ(threads_by_default(limits_of(8, 4, 0)), 4);
  EXPECT_EQ(threads_by_default(limits_of(8, 8, 3.0)), 3);
  EXPECT_EQ(threads_by_default(limits_of(8, 8, 2.1)), 3);
  EXPECT_EQ(threads_by_default(limits_of(8, 8, 0.25)), 1);
  EXPECT_EQ(threads_by_default(limits_of(2, 2, 1e18)), 2);
  EXPECT_EQ(threads_by_default(CpuLimits{}), 1);
}

TEST(ChooseThreads, SaysWhy) {
  EXPECT_EQ(choose_threads(limits_of(2, 2, 0), 0)->reason, "2 physical cores; affinity 2; no cgroup quota");
  EXPECT_EQ(choose_threads(limits_of(2, 1, 1.5), 0)->reason, "1 physical core; affinity 2; cgroup quota 1.5");
  EXPECT_EQ(choose_threads(limits_of(2, 1, 1.5), 2)->reason, "asked for");
}

TEST(ChooseThreads, WishesWithinTheMask) {
  for (int wish = 1; wish <= 8; ++wish) EXPECT_EQ(choose_threads(limits_of(8, 4, 1.0), wish)->threads, wish);
  for (const int wish : {-1, 9, 1 << 30}) {
    const auto choice = choose_threads(limits_of(8, 4, 0), wish);
    ASSERT_FALSE(choice.ok()) << wish;
    EXPECT_EQ(choice.status().code(), StatusCode::invalid_argument);
    EXPECT_NE(choice.status().message().find(std::to_string(wish)), std::string::npos);
    EXPECT_NE(choice.status().message().find("1 to 8"), std::string::npos);
  }
}

}  // namespace
}  // namespace quire
