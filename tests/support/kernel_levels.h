// SPDX-License-Identifier: Apache-2.0
//
// Tests over a kernel's list: one instance per entry, named as the entry is.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "base/cpu_features.h"
#include "base/level.h"
#include "kernels/kernel_list.h"

namespace quire::test {

inline bool runs_here(Level level) { return levels_of(cpu_features()).contains(level); }

// A level this CPU lacks must show in the report: its tests are there and say by name that they did not run.
template <class Fns>
class KernelTest : public ::testing::TestWithParam<kernels::KernelEntry<Fns>> {
 protected:
  void SetUp() override {
    if (!runs_here(this->GetParam().level)) GTEST_SKIP() << "not run here: " << to_string(this->GetParam().level);
  }
  const Fns& kernel() const { return this->GetParam().fns; }
};

template <class Fns>
std::string entry_name(const ::testing::TestParamInfo<kernels::KernelEntry<Fns>>& info) {
  return std::string(info.param.name);
}

template <class Fns>
auto each_entry(std::span<const kernels::KernelEntry<Fns>> list) {
  return ::testing::ValuesIn(list.begin(), list.end());
}

}  // namespace quire::test

// The whole list `list` of kernels with functions `Fns` for the tests of `Fixture`.
#define QUIRE_FOR_EACH_ENTRY(Fixture, Fns, list) \
  INSTANTIATE_TEST_SUITE_P(Levels, Fixture, ::quire::test::each_entry<Fns>(list), ::quire::test::entry_name<Fns>)

// gtest prints parameters; an entry is its name.
namespace quire::kernels {
template <class Fns>
void PrintTo(const KernelEntry<Fns>& entry, std::ostream* os) {
  *os << entry.name;
}
}  // namespace quire::kernels
