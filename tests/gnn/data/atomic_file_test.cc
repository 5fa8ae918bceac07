#include "gnn/data/atomic_file.h"

#include <gmock/gmock.h>

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

TEST(AtomicFile, IsItsOwnersAlone) {
  const TemporaryFolder folder;
  AtomicFile(folder.path() / "a").commit();
  EXPECT_EQ(std::filesystem::status(folder.path() / "a").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace tacit::gnn
