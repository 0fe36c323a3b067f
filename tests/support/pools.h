// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "base/thread_pool.h"

namespace quire::test {

inline std::unique_ptr<ThreadPool> pool_of(int threads) { return std::move(ThreadPool::create(threads)).value(); }

}  // namespace quire::test
