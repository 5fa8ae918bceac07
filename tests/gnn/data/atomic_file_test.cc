#include "gnn/data/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include "net/error.h"
#include "tests/no_room.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(AtomicFile& file, std::string_view text) { file.write(std::as_bytes(std::span(text))); }

TEST(AtomicFile, HasItsNameWhenItIsWhole) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  std::ofstream(path) << "before";
  AtomicFile file(path);
  write(file, "after");
  write(file, "wards");
  EXPECT_EQ(content_of(path), "before");
  file.commit();
  EXPECT_EQ(content_of(path), "afterwards");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, IsNotThereWhenItIsGivenUp) {
  const TemporaryFolder folder;
  write(*std::make_unique<AtomicFile>(folder.path() / "a"), "half");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AtomicFile, ThatFindsNoRoomNamesTheRemedyAndTellsOthersNoPath) {
  const TemporaryFolder folder;
  std::string said, told;
  try {
    const NoRoom full(4);
    AtomicFile file(folder.path() / "a");
    write(file, "too much");
  } catch (const ConfigError& error) {
    said = error.what();
    told = error.told();
  }
  EXPECT_EQ(said, (folder.path() / "a").string() +
                      ": cannot be written: File too large; free some space there, or name another place");
  EXPECT_EQ(told, "cannot be written: File too large");
}

// A party's data would stay in the folder, under a name that `ls` does not show.
TEST(AtomicFile, OfAProgramThatIsKilledLeavesNothing) {
  const TemporaryFolder folder;
  if (!net::Descriptor(open(folder.path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600))) {
    GTEST_SKIP() << "this file system has no files without a name";
  }
  const auto die = [&] {
    AtomicFile file(folder.path() / "a");
    write(file, "secret");
    raise(SIGKILL);
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGKILL), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AtomicFile, IsItsOwnersAlone) {
  const TemporaryFolder folder;
  AtomicFile(folder.path() / "a").commit();
  EXPECT_EQ(std::filesystem::status(folder.path() / "a").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

// As root, the rename would replace the device for the whole machine.
TEST(AtomicFile, ThatWouldReplaceADeviceIsRefusedBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("/dev/null", link);
  for (const std::filesystem::path& device : {std::filesystem::path("/dev/null"), std::filesystem::path("/dev/stdout"),
                                              std::filesystem::path("/dev/../dev/new"), link}) {
    try {
      AtomicFile file(device);  // not committed: this machine keeps its devices
      ADD_FAILURE() << device;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::EndsWith("name a file")) << device;
    }
  }
}

TEST(AtomicFile, ReplacesALinkAndAFifo) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "target") << "target";
  std::filesystem::create_symlink("target", folder.path() / "link");
  std::filesystem::create_symlink("nothing", folder.path() / "dangling");
  ASSERT_EQ(mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
  for (const char* name : {"link", "dangling", "fifo"}) {
    AtomicFile file(folder.path() / name);
    write(file, name);
    file.commit();
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder.path() / name))) << name;
  }
  EXPECT_EQ(content_of(folder.path() / "target"), "target");
}

TEST(AtomicFile, IsWrittenIntoAFolderThatItsUserMayNotRead) {
  const TemporaryFolder folder;
  const auto box = folder.path() / "box";
  std::filesystem::create_directory(box);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  std::filesystem::permissions(box, static_cast<std::filesystem::perms>(0333));
  const auto put = [&] {
    if (geteuid() == 0 && seteuid(65534) != 0) std::_Exit(2);  // root may read every folder
    AtomicFile(box / "a").commit();
    std::_Exit(0);
  };
  EXPECT_EXIT(put(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tacit::gnn
