// SPDX-License-Identifier: Apache-2.0
//
// The edge of the library: whatever the standard library throws below becomes a Status here.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/status.h"

namespace quire::engine {

// `body` returns a Status or a Result.
template <class Body>
auto guarded(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return out_of_memory("out of memory");
  } catch (const std::exception& error) {
    return Status(StatusCode::internal, error.what());
  } catch (...) {
    return Status(StatusCode::internal, "an exception of unknown type");
  }
}

}  // namespace quire::engine
