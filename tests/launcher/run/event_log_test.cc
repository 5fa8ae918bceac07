#include "launcher/run/event_log.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "net/error.h"
#include "tests/no_room.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(EventLog, KeepsEarlierLinesAndPassesOverAHalfLine) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "events.jsonl";
  EventLog(path).add("started", {{"rank", 1}});
  std::ofstream(path, std::ios::app) << R"({"time": "2026-01)";
  EventLog(path).add("finished");
  const std::vector<Json> events = EventLog::read(path, {"started", "finished"});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["rank"], 1);
  EXPECT_THAT(events[0]["time"].get<std::string>(), testing::MatchesRegex("....-..-..T..:..:......Z"));
  EXPECT_EQ(events[1]["event"], "finished");
  EXPECT_EQ(EventLog::read(path, {"finished"}).size(), 1u);
  EXPECT_EQ(EventLog::read(path, {"started", "finished"}, 1).size(), 1u);
  EXPECT_TRUE(EventLog::read(folder.path() / "none", {"started"}).empty());
}

TEST(EventLog, IsOneProcess) {
  const TemporaryFolder folder;
  const EventLog first(folder.path() / "events.jsonl");
  EXPECT_THAT([&] { EventLog(folder.path() / "events.jsonl"); },
              ThrowsMessage<ConfigError>(HasSubstr("this rank runs already")));
}

TEST(EventLog, ThatCannotBeWrittenSaysSo) {
  const TemporaryFolder folder;
  EventLog log(folder.path() / "events.jsonl");
  {
    const NoRoom no_room(10);
    EXPECT_THAT([&] { log.add("started"); },
                ThrowsMessage<ConfigError>(HasSubstr("events.jsonl cannot be written: File too large")));
  }
  EXPECT_THAT([] { EventLog("/nowhere/events.jsonl"); }, ThrowsMessage<ConfigError>(HasSubstr("cannot be written")));
}

TEST(EventLog, IsWrittenThroughNoLinkAndToNoFifo) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "events.jsonl", other = folder.path() / "other";
  std::ofstream(other) << "untouched";
  std::filesystem::create_symlink(other, path);
  const auto refused = ThrowsMessage<ConfigError>(HasSubstr("events.jsonl is a symbolic link"));
  EXPECT_THAT([&] { EventLog{path}; }, refused);
  EXPECT_THAT([&] { EventLog::hold(path); }, refused);
  EXPECT_EQ(std::filesystem::file_size(other), 9u);
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT([&] { EventLog{path}; }, ThrowsMessage<ConfigError>(HasSubstr("events.jsonl is not a regular file")));
  EXPECT_TRUE(EventLog::read(path, {"started"}).empty()) << "and nobody waits for one to be written to";
  EXPECT_THAT([] { EventLog("/dev/full").add("started"); },
              ThrowsMessage<ConfigError>(HasSubstr("/dev/full is not a regular file")));
}

}  // namespace
}  // namespace tacit::launcher
