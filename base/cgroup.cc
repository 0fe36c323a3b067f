// SPDX-License-Identifier: Apache-2.0
//
// /proc/self/cgroup says where in the hierarchy we are, /proc/self/mountinfo where the hierarchy can be seen:
// cgroups(7), proc_pid_mountinfo(5).
#include "base/cgroup.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/system_file.h"

namespace quire {
namespace {

constexpr std::size_t kLongestPath = 4096;  // PATH_MAX

enum class Version { v1, v2 };

struct Membership {
  Version version;
  std::string path;  // "/user.slice/job": from the root of the hierarchy, or of our cgroup namespace
};

struct Mount {
  Version version;
  std::string root;   // the folder of the hierarchy that is mounted
  std::string point;  // where
};

bool lists_cpu(std::string_view comma_separated) {
  const auto names = split(comma_separated, ',');
  return std::find(names.begin(), names.end(), "cpu") != names.end();
}

// "4:cpu,cpuacct:/docker/abc" in version 1, "0::/user.slice" in version 2.
std::optional<Membership> parse_membership(std::string_view line) {
  const std::size_t first = line.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  const std::string_view path = line.substr(second + 1);
  if (path.empty() || path.front() != '/' || path.size() > kLongestPath) return std::nullopt;
  if (controllers.empty()) return Membership{Version::v2, std::string(path)};
  if (lists_cpu(controllers)) return Membership{Version::v1, std::string(path)};
  return std::nullopt;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// mountinfo writes blank, tab, newline and backslash as \040, \011, \012 and \134.
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// "30 23 0:26 /docker/abc /sys/fs/cgroup/cpu rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct": five fields we know,
// options, any number of tags, a dash, then type, source and options of the file system.
std::optional<Mount> parse_mount(std::string_view line) {
  const auto fields = split(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (dash - fields.begin() < 6 || fields.end() - dash < 4) return std::nullopt;
  const std::string_view type = dash[1];
  const std::string_view options = dash[3];
  Mount mount{Version::v2, unescape(fields[3]), unescape(fields[4])};
  if (type == "cgroup2") return mount;
  if (type != "cgroup" || !lists_cpu(options)) return std::nullopt;
  mount.version = Version::v1;
  return mount;
}

template <class Item>
std::vector<Item> parse_lines(const std::string& path, std::optional<Item> (*parse)(std::string_view)) {
  std::vector<Item> items;
  const std::optional<std::string> text = read_system_file(path);
  if (!text) return items;
  for (std::string_view line : split(*text, '\n')) {
    if (std::optional<Item> item = parse(line)) items.push_back(*std::move(item));
  }
  return items;
}

// Where below the mount point our cgroup is: "" for the mount point itself. That is also the answer where a namespace
// hides how the two relate; a mount that reaches higher than we can name still shows an ancestor of ours.
std::string path_below(const Mount& mount, const std::string& cgroup) {
  const std::string prefix = mount.root == "/" ? "" : mount.root;
  const bool inside =
      cgroup.compare(0, prefix.size(), prefix) == 0 && (cgroup.size() == prefix.size() || cgroup[prefix.size()] == '/');
  const std::string rest = inside ? cgroup.substr(prefix.size()) : "";
  return rest == "/" || rest.find("/..") != std::string::npos ? "" : rest;
}

double quota_of(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return 0;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// "150000 100000" is one and a half CPUs, "max 100000" none.
double read_quota_v2(const std::string& folder) {
  const std::optional<std::string> text = read_system_file(folder + "/cpu.max");
  if (!text) return 0;
  const auto fields = split(std::string_view(*text).substr(0, text->find('\n')), ' ');
  return fields.size() == 2 ? quota_of(parse_integer(fields[0]), parse_integer(fields[1])) : 0;
}

// A quota of -1 is none.
double read_quota_v1(const std::string& folder) {
  const std::optional<std::string> quota = read_system_file(folder + "/cpu.cfs_quota_us");
  const std::optional<std::string> period = read_system_file(folder + "/cpu.cfs_period_us");
  return quota && period ? quota_of(parse_integer(*quota), parse_integer(*period)) : 0;
}

double smaller_quota(double a, double b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

// From our cgroup up to the mount point, both included.
double smallest_on_the_way_up(const std::string& top, std::string below, Version version) {
  double smallest = 0;
  for (;;) {
    const std::string folder = top + below;
    smallest = smaller_quota(smallest, version == Version::v2 ? read_quota_v2(folder) : read_quota_v1(folder));
    if (below.empty()) return smallest;
    below.resize(below.find_last_of('/'));
  }
}

}  // namespace

double read_cgroup_quota(const std::string& root) {
  const auto memberships = parse_lines<Membership>(root + "/proc/self/cgroup", parse_membership);
  const auto mounts = parse_lines<Mount>(root + "/proc/self/mountinfo", parse_mount);
  double smallest = 0;
  for (const Membership& membership : memberships) {
    for (const Mount& mount : mounts) {
      if (mount.version != membership.version) continue;
      const std::string below = path_below(mount, membership.path);
      smallest = smaller_quota(smallest, smallest_on_the_way_up(root + mount.point, below, mount.version));
    }
  }
  return smallest;
}

}  // namespace quire
