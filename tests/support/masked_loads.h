// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "base/cpu_features.h"

namespace quire::test {

// Tries it in a child process: a masked load without any lane from a forbidden page.
inline bool find_masked_loads_touch() {
#if defined(__x86_64__)
  if (!cpu_features().avx || !cpu_features().os_avx) return false;
  void* forbidden = ::mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const pid_t child = forbidden == MAP_FAILED ? -1 : ::fork();
  if (child == 0) {
    asm volatile("vxorps %%ymm0, %%ymm0, %%ymm0\n\tvmaskmovps (%0), %%ymm0, %%ymm0" : : "r"(forbidden) : "xmm0");
    ::_exit(0);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) return false;
  std::fprintf(stderr, "masked loads touch all lanes here: reads past the end of a buffer go unseen, writes do not\n");
  return true;
#else
  return false;
#endif
}

// Whether a masked vector load touches lanes whose mask is 0. A CPU must not (Intel SDM vol. 2, VMASKMOV); QEMU 7.2
// reads the whole vector and faults.
inline bool masked_loads_touch() {
  static const bool found = find_masked_loads_touch();
  return found;
}

}  // namespace quire::test
