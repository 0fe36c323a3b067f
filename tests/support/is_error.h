// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/status.h"

namespace quire::test {

// EXPECT_TRUE(is_error(status, StatusCode::corrupt_file, {"config.json", "hidden_size"})): the code is this one and the
// message holds each of the fragments. Give the file and the fact.
inline testing::AssertionResult is_error(const Status& status, StatusCode code,
                                         std::initializer_list<std::string_view> fragments) {
  const std::string found = std::string(to_string(status.code())) + ": " + status.message();
  if (status.code() != code) return testing::AssertionFailure() << "wanted " << to_string(code) << ", found " << found;
  for (std::string_view fragment : fragments)
    if (status.message().find(fragment) == std::string::npos)
      return testing::AssertionFailure() << "wanted \"" << fragment << "\" in " << found;
  return testing::AssertionSuccess();
}

}  // namespace quire::test
