#include "launcher/run/output_folder.h"

#include <gmock/gmock.h>

#include <fstream>

#include "launcher/run/event_log.h"
#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class OutputFolderTest : public testing::Test {
 protected:
  OutputFolderTest() { folder_.make(); }
  void happened(const char* event, const Json& more) const { EventLog(folder_.events()).add(event, more); }

  const TemporaryFolder temporary_;
  const OutputFolder folder_{temporary_.path(), 3};
};

TEST_F(OutputFolderTest, IsTheRanksAndItsOwnersAlone) {
  EXPECT_EQ(folder_.path(), temporary_.path() / "rank3");
  EXPECT_EQ(fs::status(folder_.path()).permissions(), fs::perms::owner_all);
  std::ofstream(temporary_.path() / "file") << "mine";
  EXPECT_THAT([&] { OutputFolder(temporary_.path() / "file", 0).make(); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("cannot be made"), HasSubstr("--output"))));
}

TEST_F(OutputFolderTest, IsFreeForTheSameJobUntilThatHasFinished) {
  EXPECT_NO_THROW(folder_.expect_free_for("a", false)) << "nothing is in it";
  happened("started", {{"training_digest", "a"}});
  EXPECT_NO_THROW(folder_.expect_free_for("b", false)) << "nothing was trained";
  happened("epoch", {{"epoch", 1}});
  EXPECT_NO_THROW(folder_.expect_free_for("a", false));
  EXPECT_THAT([&] { folder_.expect_free_for("b", false); }, ThrowsMessage<ConfigError>(HasSubstr("another job")));
  happened("finished", {{"command", "predict"}});
  EXPECT_NO_THROW(folder_.expect_free_for("a", false));
  happened("finished", {{"command", "train"}});
  EXPECT_THAT([&] { folder_.expect_free_for("a", false); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("has finished"), HasSubstr("--afresh"))));
  EXPECT_NO_THROW(folder_.expect_free_for("a", true)) << "to go on, as it is said to";
}

TEST_F(OutputFolderTest, IsMovedAsideToTheFirstFreeName) {
  EXPECT_EQ(folder_.move_aside(), folder_.path().string() + ".1");
  EXPECT_EQ(folder_.move_aside(), "");
  folder_.make();
  EXPECT_EQ(folder_.move_aside(), folder_.path().string() + ".2");
}

}  // namespace
}  // namespace tacit::launcher
