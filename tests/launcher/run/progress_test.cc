#include "launcher/run/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

gnn::EpochEvent epoch_event(std::int64_t epoch, bool last) {
  gnn::EpochEvent event;
  event.epoch = epoch;
  event.last = last;
  event.loss = 0.5;
  event.usage.seconds = 0.04;
  event.traffic.emplace().peers.resize(2);
  event.traffic->peers[1].payload_sent = 98700;
  return event;
}

TEST(ProgressLine, SaysWhereTheTrainingIs) {
  ProgressLine line;
  line.begin("sharing the data");
  EXPECT_EQ(line.text(), "sharing the data");
  line.begin("training");
  line.set_epochs(200);
  gnn::EpochEvent event = epoch_event(12, false);
  event.readings = {{{gnn::Metric::kRootMeanSquaredError, gnn::Part::kTest}, 11.521}};
  line.take(event);
  EXPECT_EQ(line.text(),
            "training  epoch 12/200  7.5 s to go  loss 0.5000  test rmse 11.52  40 ms/epoch  98.7 kB/epoch");
  line.take(epoch_event(200, true));
  EXPECT_THAT(line.text(), testing::AllOf(HasSubstr("test rmse 11.52"), Not(HasSubstr("to go"))));
}

TEST(ProgressLine, WritesAnExplodedLossInFewDigits) {
  ProgressLine line;
  line.begin("training");
  line.set_epochs(200);
  gnn::EpochEvent event = epoch_event(12, false);
  event.loss = 8.4421e36;
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("loss 8.442e+36  "));
  event.loss = 0.000031;
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("loss 3.1e-05  "));
}

// The first epoch sends six times as much as the others, and the last one evaluates: neither
// predicts the time of 100 more.
TEST(ProgressLine, EstimatesTheTimeToGoByTheCostOfEpochs) {
  gnn::PlannedRun plan;
  plan.epochs.assign(6, {});
  plan.numbers = {1, 2, 3, 4, 5, 101};
  plan.stands_for = {1, 1, 48, 25, 25, 1};
  for (gnn::PlannedRun::Step& epoch : plan.epochs) epoch.cost = {.rounds = 10, .bytes = 250'000};
  plan.epochs.front().cost = {.rounds = 12, .bytes = 1'950'000};  // 4.5 times an epoch
  plan.epochs.back().cost = {.rounds = 20, .bytes = 500'000};
  plan.left_out = {95, 0, {{.rounds = 950, .bytes = 95 * 250'000}, {}}};
  ProgressLine line;
  line.begin("training");
  line.set_epochs(101);
  line.set_plan(plan);
  gnn::EpochEvent event = epoch_event(1, false);
  event.usage.seconds = 0.45;
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("  10 s to go"));  // 99 typical epochs, and one that takes twice as long
  event = epoch_event(2, false);
  event.usage.seconds = 0.05;  // faster than the first epoch suggested: the estimate adapts at once
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("  5.0 s to go"));
  event = epoch_event(100, false);
  event.usage.seconds = 0.05;
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("  100 ms to go"));
}

// The output of a console, in a file in memory.
class Written {
 public:
  Written() : file_(::memfd_create("stderr", MFD_CLOEXEC)) {}
  int fd() const { return file_.get(); }
  std::string text() const {
    std::string all(1 << 16, '\0');
    all.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::pread(fd(), all.data(), all.size(), 0))));
    return all;
  }

 private:
  const net::Descriptor file_;
};

TEST(Progress, InALogIsAFewLinesWithoutColours) {
  const Written out;
  {
    Console console(out.fd());
    Progress progress(1, ProgressStyle::kLines, console);
    progress.set_epochs(500);
    progress.begin("training");
    for (std::int64_t epoch = 1; epoch <= 500; ++epoch) progress.take(epoch_event(epoch, epoch == 500));
    progress.note("done");
  }
  // The first epoch, and the last of every tenth.
  EXPECT_THAT(out.text(), testing::MatchesRegex("rank 1: training  epoch 1/500[^\n]*\nrank 1: training  epoch "
                                                "50/500[^\n]*\n(rank 1: training [^\n]*\n)+rank 1: training  epoch "
                                                "500/500[^\n]*\nrank 1: done\n"));
  const std::string text = out.text();
  EXPECT_EQ(std::ranges::count(text, '\n'), 12);
}

TEST(Progress, OnATerminalIsOneLineThatEndsWithNothing) {
  for (const bool colours : {true, false}) {
    colours ? ::unsetenv("NO_COLOR") : ::setenv("NO_COLOR", "1", 1);
    const Written out;
    {
      Console console(out.fd());
      Progress progress(1, ProgressStyle::kLive, console);
      progress.begin("training");
      progress.note("kept");
    }
    EXPECT_THAT(out.text(), HasSubstr("rank 1: kept\n"));
    EXPECT_EQ(out.text().find("\x1b[36m") != std::string::npos, colours);
    EXPECT_TRUE(out.text().ends_with("\r\x1b[K"));
  }
}

// The default width of a terminal. The line is cut at its end, so the time to go comes before the
// cut.
TEST(Progress, OnATerminalOf80ColumnsKeepsTheTimeToGo) {
  ::setenv("NO_COLOR", "1", 1);
  const Written out;
  {
    Console console(out.fd());
    Progress progress(1, ProgressStyle::kLive, console);
    progress.begin("training");
    progress.set_epochs(100'000);
    gnn::EpochEvent event = epoch_event(12'000, false);
    for (const gnn::Part part : {gnn::Part::kTrain, gnn::Part::kValidation, gnn::Part::kTest}) {
      event.readings.push_back({{gnn::Metric::kRootMeanSquaredError, part}, 11.521});
    }
    progress.take(event);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // time for the console to look again
  }
  const std::string text = out.text();
  const std::size_t at = text.find("rank 1  training  epoch 12000/100000");
  ASSERT_NE(at, std::string::npos) << text;
  const std::string line = text.substr(at, text.find_first_of("\r\n", at) - at);
  EXPECT_LE(line.size(), 79u);
  EXPECT_THAT(line, HasSubstr(" min to go"));
  EXPECT_THAT(line, Not(HasSubstr("/epoch"))) << "this line is longer than 80 columns";
}

// A launcher that shows a line for each rank asks for the lines.
TEST(Progress, ForALauncherIsMarkedLinesBesideNotes) {
  const Written out;
  {
    Console console(out.fd());
    Progress progress(1, ProgressStyle::kStatus, console);
    progress.begin("sharing the data");
    progress.note("a note");
    progress.begin("training");
    progress.take(epoch_event(1, false));
  }
  EXPECT_THAT(out.text(), testing::StartsWith("@status sharing the data\nrank 1: a note\n@status training"));
  EXPECT_THAT(out.text(), testing::EndsWith("@status \n"));
  ::setenv(kStatusVariable, "1", 1);
  EXPECT_EQ(progress_style(false), ProgressStyle::kStatus);
  EXPECT_EQ(progress_style(true), ProgressStyle::kQuiet);
  ::unsetenv(kStatusVariable);
}

TEST(Progress, NeverWaitsForItsReaderAndCountsTheLinesThatItLeavesOut) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);  // writes block, because other processes share the pipe
  const net::Descriptor from(ends[0]), into(ends[1]);
  ASSERT_EQ(::fcntl(from.get(), F_SETFL, O_NONBLOCK), 0);
  std::string all;
  const auto read_some = [&] {
    std::array<char, 1 << 16> some{};
    const ssize_t got = ::read(from.get(), some.data(), some.size());
    all.append(some.data(), static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  };
  {
    Console console(into.get());
    Progress progress(1, ProgressStyle::kLines, console);
    const std::string text(1000, 'x');
    for (int i = 0; i < 1000; ++i) progress.note(text);  // a megabyte; the pipe takes 64 KiB, and as much is kept
    read_some();
    progress.note("seen again");
    for (int i = 0; i < 500 && all.find("seen again") == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      read_some();
    }
    EXPECT_EQ(::fcntl(into.get(), F_GETFL) & O_NONBLOCK, 0);
  }
  const std::string end = all.substr(all.rfind('x') + 1);
  EXPECT_TRUE(end.ends_with(" lines are left out: the reader was too slow\nrank 1: seen again\n")) << end;
}

TEST(Progress, ThatIsQuietSaysNothing) {
  const Written out;
  {
    Console console(out.fd());
    Progress progress(1, ProgressStyle::kQuiet, console);
    progress.begin("training");
    progress.take(epoch_event(1, true));
    progress.note("done");
  }
  EXPECT_EQ(out.text(), "");
}

}  // namespace
}  // namespace tacit::launcher
