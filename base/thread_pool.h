// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>

#include "base/status.h"
#include "base/types.h"

namespace quire {

// A fixed crew. Work comes as numbered chunks taken from one counter, so that a core which is slower for a moment
// simply takes fewer: cores of a shared machine differ from second to second. The calling thread works too. Between
// runs the others spin for a bounded time, then sleep.
//
// parallel_for allocates nothing, may be called from several threads (one run at a time, the others wait), must not be
// called from inside a chunk. Denormals are handled as IEEE says: no flush-to-zero is set.
class ThreadPool {
 public:
  static Result<std::unique_ptr<ThreadPool>> create(int threads);  // 1: no thread is started, the caller does it all
  ~ThreadPool();

  int threads() const { return threads_; }

  // Calls body(chunk, worker) once for each chunk in [0, chunks), worker in [0, threads()). Returns when all are done.
  // body must not throw.
  template <class Body>
  void parallel_for(Index chunks, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    run(chunks, const_cast<void*>(static_cast<const void*>(&body)),
        [](void* context, Index chunk, int worker) { (*static_cast<Plain*>(context))(chunk, worker); });
  }

 private:
  using ChunkFn = void (*)(void* context, Index chunk, int worker);
  struct State;
  explicit ThreadPool(int threads);
  void run(Index chunks, void* context, ChunkFn body);

  int threads_ = 1;
  std::unique_ptr<State> state_;
};

}  // namespace quire
