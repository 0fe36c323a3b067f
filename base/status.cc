// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

namespace quire {

std::string_view to_string(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::ok:
      return "ok";
    case StatusCode::invalid_argument:
      return "invalid argument";
    case StatusCode::not_found:
      return "not found";
    case StatusCode::io_error:
      return "I/O error";
    case StatusCode::corrupt_file:
      return "corrupt file";
    case StatusCode::unsupported:
      return "unsupported";
    case StatusCode::too_long:
      return "too long";
    case StatusCode::non_finite:
      return "non-finite";
    case StatusCode::out_of_memory:
      return "out of memory";
    case StatusCode::cancelled:
      return "cancelled";
    case StatusCode::internal:
      return "internal error";
  }
  return "unknown";
}

}  // namespace quire
