// SPDX-License-Identifier: Apache-2.0
#include "loader/file.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "loader/mapped_file.h"
#include "tests/support/is_error.h"
#include "tests/support/temp_dir.h"

namespace quire::loader {
namespace {

using test::is_error;

// Both ways of opening must refuse alike.
testing::AssertionResult both_refuse(const std::filesystem::path& path, StatusCode code, std::string_view fact) {
  const auto read = is_error(read_file(path, 1000).status(), code, {path.string(), fact});
  return read ? is_error(MappedFile::open(path).status(), code, {path.string(), fact}) : read;
}

// Root may read everything; without these two capabilities it is like any other user. Of this thread only.
class WithoutRootsRights {
 public:
  WithoutRootsRights() {
    syscall(SYS_capget, &header_, saved_.data());
    auto dropped = saved_;
    dropped[0].effective &= ~(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
    syscall(SYS_capset, &header_, dropped.data());
  }
  WithoutRootsRights(const WithoutRootsRights&) = delete;
  WithoutRootsRights& operator=(const WithoutRootsRights&) = delete;
  ~WithoutRootsRights() { syscall(SYS_capset, &header_, saved_.data()); }

 private:
  __user_cap_header_struct header_ = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> saved_ = {};
};

TEST(File, ReadsAndMapsTheSameBytes) {
  const test::TempDir dir;
  const std::string content("a\0b\xFF", 4);
  const auto path = dir.write("x.bin", content);
  const auto read = read_file(path, 4);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(*read, content);
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok()) << mapped.status().message();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size()), content);
  EXPECT_EQ(mapped->name(), path.string());
}

TEST(File, AnEmptyFileIsAFile) {
  const test::TempDir dir;
  const auto path = dir.write("empty", "");
  EXPECT_EQ(*read_file(path, 0), "");
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok()) << mapped.status().message();
  EXPECT_TRUE(mapped->bytes().empty());
}

TEST(File, AMovedMappingStays) {
  const test::TempDir dir;
  auto first = MappedFile::open(dir.write("x", "abc"));
  ASSERT_TRUE(first.ok());
  const MappedFile second = *std::move(first);
  EXPECT_EQ(static_cast<char>(second.bytes()[2]), 'c');
}

TEST(File, FollowsSymbolicLinks) {
  const test::TempDir dir;
  std::filesystem::create_symlink(dir.write("blobs/1234", "abc"), dir.path() / "model.safetensors");
  EXPECT_EQ(*read_file(dir.path() / "model.safetensors", 100), "abc");
}

TEST(File, NamesWhatIsAbsent) {
  const test::TempDir dir;
  EXPECT_TRUE(both_refuse(dir.path() / "absent", StatusCode::not_found, "no such file"));
  EXPECT_TRUE(both_refuse(dir.write("file", "") / "below", StatusCode::not_found, "no such file"));
  std::filesystem::create_symlink(dir.path() / "gone", dir.path() / "link");
  EXPECT_TRUE(both_refuse(dir.path() / "link", StatusCode::not_found, "symbolic link to a file that does not exist"));
}

TEST(File, RefusesWhatIsNoRegularFile) {
  const test::TempDir dir;
  std::filesystem::create_directory(dir.path() / "folder");
  EXPECT_TRUE(both_refuse(dir.path() / "folder", StatusCode::io_error, "is a folder, not a regular file"));
  ASSERT_EQ(mkfifo((dir.path() / "fifo").c_str(), 0600), 0);
  EXPECT_TRUE(both_refuse(dir.path() / "fifo", StatusCode::io_error, "is a FIFO"));  // and does not wait for a writer
  EXPECT_TRUE(both_refuse("/dev/null", StatusCode::io_error, "is a device"));
}

TEST(File, SaysWhatTheSystemSays) {
  const test::TempDir dir;
  std::filesystem::create_symlink("loop", dir.path() / "loop");
  EXPECT_TRUE(both_refuse(dir.path() / "loop", StatusCode::io_error, "Too many levels of symbolic links"));
  const auto secret = dir.write("secret", "abc");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  const WithoutRootsRights rights;
  EXPECT_TRUE(both_refuse(secret, StatusCode::io_error, "Permission denied"));
}

TEST(File, BoundsWhatIsRead) {
  const test::TempDir dir;
  const auto path = dir.write("x", "12345");
  EXPECT_TRUE(read_file(path, 5).ok());
  EXPECT_TRUE(is_error(read_file(path, 4).status(), StatusCode::corrupt_file, {path.string(), "5 bytes", "at most 4"}));
}

TEST(File, ExistsUnlessTheNameIsFree) {
  const test::TempDir dir;
  std::filesystem::create_symlink("nowhere", dir.path() / "broken");
  EXPECT_TRUE(file_exists(dir.path() / "broken"));
  EXPECT_TRUE(file_exists(dir.write("there", "")));
  EXPECT_FALSE(file_exists(dir.path() / "absent"));
  EXPECT_FALSE(file_exists(dir.path() / "there" / "below"));
}

TEST(File, ChecksFolders) {
  const test::TempDir dir;
  EXPECT_TRUE(check_folder(dir.path()).ok());
  const auto absent = dir.path() / "absent";
  EXPECT_TRUE(is_error(check_folder(absent), StatusCode::not_found, {absent.string(), "no such folder"}));
  const auto file = dir.write("model.safetensors", "");
  EXPECT_TRUE(is_error(check_folder(file), StatusCode::invalid_argument, {file.string(), "is not a folder"}));
  std::filesystem::create_symlink("loop", dir.path() / "loop");
  EXPECT_TRUE(is_error(check_folder(dir.path() / "loop"), StatusCode::io_error, {"loop", "symbolic links"}));
}

}  // namespace
}  // namespace quire::loader
