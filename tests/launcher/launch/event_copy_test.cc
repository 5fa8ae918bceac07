#include "launcher/launch/event_copy.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "launcher/run/event_log.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CopyOfEvents : public testing::Test {
 protected:
  std::string path() const { return folder_.path() / "events.jsonl"; }
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path()).rdbuf();
    return all.str();
  }
  EventCopy copy() {
    return {path(), [this](std::string_view line) { others_.emplace_back(line); }};
  }

  TemporaryFolder folder_;
  std::vector<std::string> others_;
};

TEST_F(CopyOfEvents, GetsTheMarkedLinesHoweverTheyArrive) {
  const std::string told =
      "Welcome!\n@event {\"event\":\"epoch\",\"loss\":0.5}\ntest rmse 3\n@event {\"event\":\"finished\"}\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, told.size()}) {
    std::filesystem::remove(path());
    others_.clear();
    EventCopy one = copy();
    for (std::size_t at = 0; at < told.size(); at += piece) one.take(std::string_view(told).substr(at, piece));
    EXPECT_EQ(text(), "{\"event\":\"epoch\",\"loss\":0.5}\n{\"event\":\"finished\"}\n") << piece;
    EXPECT_THAT(others_, ElementsAre("Welcome!", "test rmse 3")) << piece;
  }
}

TEST_F(CopyOfEvents, AddsToTheEventsOfEarlierStartsAndEndsAHalfLine) {
  std::ofstream(path()) << "{\"event\":\"started\"}\n{\"event\":\"ep";
  copy().take("@event {\"event\":\"resumed\"}\n");
  EXPECT_EQ(text(), "{\"event\":\"started\"}\n{\"event\":\"ep\n{\"event\":\"resumed\"}\n");
  struct stat about {};
  std::filesystem::remove(path());
  copy().take("@event {}\n");
  ASSERT_EQ(::stat(path().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
}

TEST_F(CopyOfEvents, HasNothingElseThatAHostSends) {
  EventCopy one = copy();
  one.take(
      "@event \n@event 7\n@event [1]\n@event {\"a\":\n@event {} {}\n@event {\"a\":\"\x80\"}\n@event \"\x1b[2J\"\n");
  one.take("@event {\"a\":\"" + std::string(EventCopy::kMostLine, 'x') + "\"}\n");
  one.take("@event " + std::string(EventCopy::kMostLine / 2, '[') + "\n");
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_THAT(others_, IsEmpty());
  one.take("\x1b[2Jx\n@event {\"event\":\"epoch\"}\n");
  EXPECT_EQ(text(), "{\"event\":\"epoch\"}\n");
  EXPECT_THAT(others_, ElementsAre("\\x1b[2Jx"));
}

TEST_F(CopyOfEvents, ThatCannotBeWrittenSaysSoOnceAndFollowsNoLink) {
  const std::string other = folder_.path() / "other";
  std::ofstream(other) << "kept";
  std::filesystem::create_symlink(other, path());
  EventCopy one = copy();
  for (int i = 0; i < 3; ++i) one.take("@event {}\n");
  EXPECT_THAT(others_, ElementsAre(HasSubstr("cannot be written")));
  EXPECT_EQ(std::filesystem::file_size(other), 4U);
}

TEST_F(CopyOfEvents, EndsAtItsLimit) {
  std::ofstream(path()) << "{}\n";
  std::filesystem::resize_file(path(), static_cast<std::uintmax_t>(EventCopy::kMostOfAll) - 6);
  EventCopy one = copy();
  one.take("@event {}\n");  // ends the line of zeros
  EXPECT_THAT(others_, IsEmpty());
  for (int i = 0; i < 3; ++i) one.take("@event {}\n");
  EXPECT_THAT(others_, ElementsAre(HasSubstr("come when the run has ended")));
  EXPECT_LE(std::filesystem::file_size(path()), static_cast<std::uintmax_t>(EventCopy::kMostOfAll));
}

// The copy reads the same lines that the rank's log writes.
TEST_F(CopyOfEvents, HasTheLinesOfTheLog) {
  const std::string log = folder_.path() / "log", told = folder_.path() / "told";
  {
    const net::Descriptor out(::open(told.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    Console console(out.get());
    EventLog events(log, &console);
    events.add("started", {{"name", "line\nbreak \x1b \xff"}});
    for (int epoch = 1; epoch <= 50; ++epoch) events.add("epoch", {{"epoch", epoch}});
  }
  std::ostringstream said, written;
  said << std::ifstream(told).rdbuf();
  written << std::ifstream(log).rdbuf();
  copy().take(said.str());
  EXPECT_EQ(text(), written.str());
  EXPECT_THAT(others_, IsEmpty());
}

}  // namespace
}  // namespace tacit::launcher
