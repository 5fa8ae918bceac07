#include "launcher/run/progress.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

gnn::EpochEvent event_of(std::int64_t epoch, bool last) {
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
  gnn::EpochEvent event = event_of(12, false);
  event.readings = {{{gnn::Metric::kRootMeanSquaredError, gnn::Part::kTest}, 11.521}};
  line.take(event);
  EXPECT_EQ(line.text(),
            "training  epoch 12/200  loss 0.5000  test rmse 11.52  7.5 s to go  40 ms/epoch  98.7 kB/epoch");
  line.take(event_of(200, true));
  EXPECT_THAT(line.text(), testing::AllOf(HasSubstr("test rmse 11.52"), Not(HasSubstr("to go"))));
}

// The first epoch sends six times what others do, and the last evaluates: neither is what 100 more will take.
TEST(ProgressLine, TellsTheTimeToGoByWhatEpochsWillCost) {
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
  gnn::EpochEvent event = event_of(1, false);
  event.usage.seconds = 0.45;
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("  10 s to go"));  // 99 like most, and one that takes twice as long
  event = event_of(2, false);
  event.usage.seconds = 0.05;  // less than the first let expect: that is known at once
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("  5.0 s to go"));
  event = event_of(100, false);
  event.usage.seconds = 0.05;
  line.take(event);
  EXPECT_THAT(line.text(), HasSubstr("  100 ms to go"));
}

TEST(Progress, InALogIsAFewLinesWithoutColours) {
  std::ostringstream out;
  {
    Progress progress(1, ProgressStyle::kLines, out);
    progress.set_epochs(500);
    progress.begin("training");
    for (std::int64_t epoch = 1; epoch <= 500; ++epoch) progress.take(event_of(epoch, epoch == 500));
    progress.note("done");
  }
  // The first, and the last of every tenth.
  EXPECT_THAT(out.str(), testing::MatchesRegex("rank 1: training  epoch 1/500[^\n]*\nrank 1: training  epoch "
                                               "50/500[^\n]*\n(rank 1: training [^\n]*\n)+rank 1: training  epoch "
                                               "500/500[^\n]*\nrank 1: done\n"));
  EXPECT_EQ(std::ranges::count(out.str(), '\n'), 12);
}

TEST(Progress, OnATerminalIsOneLineThatEndsWithNothing) {
  for (const bool colours : {true, false}) {
    colours ? ::unsetenv("NO_COLOR") : ::setenv("NO_COLOR", "1", 1);
    std::ostringstream out;
    {
      Progress progress(1, ProgressStyle::kLive, out);
      progress.begin("training");
      progress.note("kept");
    }
    EXPECT_THAT(out.str(), HasSubstr("rank 1: kept\n"));
    EXPECT_EQ(out.str().find("\x1b[36m") != std::string::npos, colours);
    EXPECT_TRUE(out.str().ends_with("\r\x1b[K"));
  }
}

// A launcher that shows a line of each rank asks for them.
TEST(Progress, ForALauncherIsMarkedLinesBesideNotes) {
  std::ostringstream out;
  {
    Progress progress(1, ProgressStyle::kStatus, out);
    progress.begin("sharing the data");
    progress.note("a note");
    progress.begin("training");
    progress.take(event_of(1, false));
  }
  EXPECT_THAT(out.str(), testing::StartsWith("@status sharing the data\nrank 1: a note\n@status training"));
  EXPECT_THAT(out.str(), testing::EndsWith("@status \n"));
  ::setenv(kStatusVariable, "1", 1);
  EXPECT_EQ(progress_style(false), ProgressStyle::kStatus);
  EXPECT_EQ(progress_style(true), ProgressStyle::kQuiet);
  ::unsetenv(kStatusVariable);
}

TEST(Progress, ThatIsQuietSaysNothing) {
  std::ostringstream out;
  {
    Progress progress(1, ProgressStyle::kQuiet, out);
    progress.begin("training");
    progress.take(event_of(1, true));
    progress.note("done");
  }
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace tacit::launcher
