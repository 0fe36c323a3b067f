// SPDX-License-Identifier: Apache-2.0
//
// Errors as values. Nothing in Quire throws across its public boundary, prints or exits: a call that can fail returns a
// Status, or a Result<T> that holds either a T or the Status that says why there is none.
//
// Messages are written for the person who must act on them: they name the file, key or index, the value found and the
// value allowed.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace quire {

enum class StatusCode {
  ok,
  invalid_argument,  // the caller asked for something that makes no sense
  not_found,         // a file, tensor or key that must exist does not
  io_error,          // the operating system refused
  corrupt_file,      // a file is not what its format demands
  unsupported,       // well-formed, but Quire does not run it
  too_long,          // more tokens than the model takes, and truncation was not asked for
  non_finite,        // NaN or infinity where a finite number must be
  out_of_memory,
  cancelled,
  internal,  // a bug in Quire
};

// The name of a code as it is spelled above; never fails.
std::string_view to_string(StatusCode code) noexcept;

class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const noexcept { return code_ == StatusCode::ok; }
  StatusCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }

 private:
  StatusCode code_ = StatusCode::ok;
  std::string message_;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Status status) : state_(std::in_place_index<1>, std::move(status)) {
    assert(!std::get<1>(state_).ok() && "a Result without a value needs a reason");
  }

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  // Only when ok().
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // The reason, or an ok Status.
  Status status() const { return ok() ? Status{} : *std::get_if<1>(&state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace quire
