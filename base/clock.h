// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace quire {

// Monotonic time for measuring; unaffected by changes of the wall clock.
class Stopwatch {
 public:
  Stopwatch() : start_(Clock::now()) {}
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double milliseconds() const { return seconds() * 1e3; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
};

}  // namespace quire
