// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of errors inside the library. Status and Result live in the public headers, which have no dependency
// of their own (docs/decisions/0001); this header adds the two shorthands that only our own code uses.
#pragma once

#include "quire/status.h"

namespace quire {

// Status makers: `return unsupported("...")`.
inline Status invalid_argument(std::string message) { return {StatusCode::invalid_argument, std::move(message)}; }
inline Status not_found(std::string message) { return {StatusCode::not_found, std::move(message)}; }
inline Status io_error(std::string message) { return {StatusCode::io_error, std::move(message)}; }
inline Status corrupt_file(std::string message) { return {StatusCode::corrupt_file, std::move(message)}; }
inline Status unsupported(std::string message) { return {StatusCode::unsupported, std::move(message)}; }
inline Status too_long(std::string message) { return {StatusCode::too_long, std::move(message)}; }
inline Status non_finite(std::string message) { return {StatusCode::non_finite, std::move(message)}; }
inline Status out_of_memory(std::string message) { return {StatusCode::out_of_memory, std::move(message)}; }

}  // namespace quire

// Leaves the function with the Status of `expression` unless it is ok. `expression` is a Status or a Result.
#define QUIRE_RETURN_IF_ERROR(expression)                                                                       \
  do {                                                                                                          \
    if (auto quire_status_ = ::quire::detail::as_status(expression); !quire_status_.ok()) return quire_status_; \
  } while (false)

// `QUIRE_ASSIGN_OR_RETURN(auto file, MappedFile::open(path));`
#define QUIRE_ASSIGN_OR_RETURN(declaration, expression) \
  QUIRE_ASSIGN_OR_RETURN_IMPL_(QUIRE_CONCAT_(quire_result_, __LINE__), declaration, expression)
#define QUIRE_ASSIGN_OR_RETURN_IMPL_(result, declaration, expression) \
  auto result = (expression);                                         \
  if (!result.ok()) return result.status();                           \
  declaration = std::move(result).value()
#define QUIRE_CONCAT_(a, b) QUIRE_CONCAT_IMPL_(a, b)
#define QUIRE_CONCAT_IMPL_(a, b) a##b

namespace quire::detail {
inline Status as_status(Status status) { return status; }
template <class T>
Status as_status(const Result<T>& result) {
  return result.status();
}
}  // namespace quire::detail
