// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace quire {

// CPUs' worth of time that the cgroups of this process allow, the smallest on the way up to the root; 0: no quota.
// Version 2 and version 1, also both at once. Files are sought below `root` ("" for the real ones).
double read_cgroup_quota(const std::string& root);

}  // namespace quire
