// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

namespace quire {
namespace {

TEST(Status, CodesHaveDistinctNames) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(StatusCode::internal); ++code) {
    names.insert(to_string(static_cast<StatusCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(StatusCode::internal) + 1);
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_EQ(to_string(StatusCode::corrupt_file), "corrupt file");
}

TEST(Status, OkByDefault) {
  EXPECT_TRUE(Status().ok());
  EXPECT_EQ(Status().code(), StatusCode::ok);
  const Status bad = not_found("no tensor \"a\"");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.code(), StatusCode::not_found);
  EXPECT_EQ(bad.message(), "no tensor \"a\"");
}

TEST(Result, HoldsAValueOrAReason) {
  Result<std::unique_ptr<int>> good(std::make_unique<int>(7));
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(good.status().ok());
  EXPECT_EQ(**good, 7);
  const std::unique_ptr<int> taken = std::move(good).value();
  EXPECT_EQ(*taken, 7);

  const Result<std::unique_ptr<int>> bad(io_error("disk on fire"));
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().code(), StatusCode::io_error);
  EXPECT_EQ(bad.status().message(), "disk on fire");
}

Result<int> half_of(int value) {
  if (value % 2 != 0) return invalid_argument(std::to_string(value) + " is odd");
  return value / 2;
}

Result<int> quarter_of(int value) {
  QUIRE_ASSIGN_OR_RETURN(const int half, half_of(value));
  QUIRE_ASSIGN_OR_RETURN(const int quarter, half_of(half));
  return quarter;
}

Status needs_even(int value) {
  QUIRE_RETURN_IF_ERROR(half_of(value));
  QUIRE_RETURN_IF_ERROR(Status());
  return {};
}

TEST(Result, MacrosPassErrorsOn) {
  ASSERT_TRUE(quarter_of(12).ok());
  EXPECT_EQ(*quarter_of(12), 3);
  EXPECT_EQ(quarter_of(5).status().message(), "5 is odd");
  EXPECT_EQ(quarter_of(6).status().message(), "3 is odd");
  EXPECT_TRUE(needs_even(4).ok());
  EXPECT_EQ(needs_even(3).message(), "3 is odd");
}

}  // namespace
}  // namespace quire
