// SPDX-License-Identifier: Apache-2.0
//
// One list per kernel drives selection, tests and benchmarks. A list is a constexpr array of entries, best level first,
// portable last.
#pragma once

#include <span>
#include <string_view>

#include "base/level.h"

namespace quire::kernels {

// Fns: the function pointer, or a struct of the pointers and facts that belong together, of one implementation.
template <class Fns>
struct KernelEntry {
  Level level;
  std::string_view name;  // "gemm_f32_avx2": the same in test names, benchmark names and reports
  Fns fns;
};

// Pure: the first entry whose level may run. The last entry of every list is portable, so there always is one.
template <class Fns>
const KernelEntry<Fns>& select(std::span<const KernelEntry<Fns>> list, LevelSet levels) {
  for (const auto& entry : list)
    if (levels.contains(entry.level)) return entry;
  return list.back();
}

}  // namespace quire::kernels
