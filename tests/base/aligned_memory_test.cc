// SPDX-License-Identifier: Apache-2.0
#include "base/aligned_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace quire {
namespace {

constexpr Index kHugePage = Index{2} << 20;

bool is_aligned(const void* data, Index alignment) {
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(alignment) == 0;
}

bool all_zero(const AlignedBuffer& buffer) {
  const auto* bytes = buffer.as<unsigned char>();
  return std::all_of(bytes, bytes + buffer.bytes(), [](unsigned char byte) { return byte == 0; });
}

TEST(RoundUp, ToWholeUnits) {
  EXPECT_EQ(round_up(0, 64), 0);
  EXPECT_EQ(round_up(1, 64), 64);
  EXPECT_EQ(round_up(64, 64), 64);
  EXPECT_EQ(round_up(65, 64), 128);
  EXPECT_EQ(round_up(7, 3), 9);
}

TEST(AlignedBuffer, IsAlignedAndZeroed) {
  for (const Index bytes : {Index{1}, Index{63}, Index{64}, Index{65}, Index{4097}, Index{1} << 20}) {
    auto buffer = AlignedBuffer::allocate(bytes);
    ASSERT_TRUE(buffer.ok()) << bytes;
    EXPECT_EQ(buffer->bytes(), bytes);
    EXPECT_TRUE(is_aligned(buffer->data(), kAlignment)) << bytes;
    EXPECT_TRUE(all_zero(*buffer)) << bytes;
    std::memset(buffer->data(), 0xFF, static_cast<std::size_t>(bytes));
  }
}

// Memory that was used before comes back dirty from a heap; the promise of zeros must hold then too.
TEST(AlignedBuffer, IsZeroedWhenMemoryIsUsedAgain) {
  for (int round = 0; round < 20; ++round) {
    for (const auto& [bytes, pages] : {std::pair{Index{5000}, Pages::normal}, std::pair{3 * kHugePage, Pages::huge}}) {
      auto buffer = AlignedBuffer::allocate(bytes, pages);
      ASSERT_TRUE(buffer.ok());
      ASSERT_TRUE(all_zero(*buffer)) << "round " << round << ", bytes " << bytes;
      std::memset(buffer->data(), 0xA5, static_cast<std::size_t>(bytes));
    }
  }
}

TEST(AlignedBuffer, HugePagesStartAtHugePages) {
  for (const Index bytes : {kHugePage, kHugePage + 1, 5 * kHugePage - 4096, 16 * kHugePage}) {
    auto buffer = AlignedBuffer::allocate(bytes, Pages::huge);
    ASSERT_TRUE(buffer.ok()) << bytes;
    EXPECT_EQ(buffer->bytes(), bytes);
    EXPECT_TRUE(is_aligned(buffer->data(), kHugePage)) << bytes;
    EXPECT_TRUE(all_zero(*buffer)) << bytes;
  }
  auto small = AlignedBuffer::allocate(1000, Pages::huge);
  ASSERT_TRUE(small.ok());
  EXPECT_TRUE(is_aligned(small->data(), kAlignment));
}

TEST(AlignedBuffer, OfNoBytesHoldsNothing) {
  const AllocationStats before = allocation_stats();
  auto buffer = AlignedBuffer::allocate(0);
  ASSERT_TRUE(buffer.ok());
  EXPECT_EQ(buffer->data(), nullptr);
  EXPECT_EQ(buffer->bytes(), 0);
  EXPECT_EQ(allocation_stats().allocations, before.allocations);
}

TEST(AlignedBuffer, NegativeSizeIsAnError) {
  for (const Index bytes : {Index{-1}, std::numeric_limits<Index>::min()}) {
    const auto buffer = AlignedBuffer::allocate(bytes);
    ASSERT_FALSE(buffer.ok());
    EXPECT_EQ(buffer.status().code(), StatusCode::invalid_argument);
    EXPECT_NE(buffer.status().message().find(std::to_string(bytes)), std::string::npos);
  }
}

TEST(AlignedBuffer, SizesNoMachineHasAreErrors) {
  const AllocationStats before = allocation_stats();
  constexpr Index kMost = std::numeric_limits<Index>::max();
  for (const Pages pages : {Pages::normal, Pages::huge}) {
    for (const Index bytes : {kMost, kMost - 63, kMost - kHugePage, Index{1} << 56, Index{1} << 46}) {
      const auto buffer = AlignedBuffer::allocate(bytes, pages);
      ASSERT_FALSE(buffer.ok()) << bytes;
      EXPECT_EQ(buffer.status().code(), StatusCode::out_of_memory);
      EXPECT_NE(buffer.status().message().find(std::to_string(bytes)), std::string::npos);
    }
  }
  EXPECT_EQ(allocation_stats().allocations, before.allocations);
  EXPECT_EQ(allocation_stats().bytes_held, before.bytes_held);
}

TEST(AlignedBuffer, MovesOwnershipAndCountsBytes) {
  const AllocationStats before = allocation_stats();
  {
    AlignedBuffer first = AlignedBuffer::allocate(100).value();
    AlignedBuffer second = AlignedBuffer::allocate(200).value();
    EXPECT_EQ(allocation_stats().allocations, before.allocations + 2);
    EXPECT_EQ(allocation_stats().bytes_held, before.bytes_held + 300);

    void* const data = second.data();
    first = std::move(second);  // the 100 bytes are given back
    EXPECT_EQ(first.data(), data);
    EXPECT_EQ(first.bytes(), 200);
    EXPECT_EQ(allocation_stats().bytes_held, before.bytes_held + 200);

    AlignedBuffer third(std::move(first));
    EXPECT_EQ(third.data(), data);
    EXPECT_EQ(allocation_stats().bytes_held, before.bytes_held + 200);
  }
  EXPECT_EQ(allocation_stats().allocations, before.allocations + 2);
  EXPECT_EQ(allocation_stats().bytes_held, before.bytes_held);
}

}  // namespace
}  // namespace quire
