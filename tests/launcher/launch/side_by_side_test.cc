// The table beside the twin has the counts of a confusion matrix, with the twin's counts in brackets. The line of its value names the
// accuracy.
#include "launcher/launch/side_by_side.h"

#include <gmock/gmock.h>

#include "launcher/run/event_log.h"
#include "launcher/run/output_folder.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

Json epoch_with(double recall, const Json& counts) {
  const Json names = {"ordinary", "marked"};
  return {
      {"epoch", 3},
      {"loss", 0.5},
      {"readings",
       {{{"what", "test recall_class_1"}, {"to", "everyone"}, {"value", recall}, {"class_name", "marked"}},
        {{"what", "test confusion"}, {"to", "rank 0"}, {"value", 0.9}, {"counts", counts}, {"class_names", names}}}}};
}

TEST(SideBySide, TellsTheCountsOfAConfusionMatrix) {
  const TemporaryFolder folder;
  const std::filesystem::path output = folder.path();
  std::filesystem::create_directories(output / "rank0");
  std::filesystem::create_directories(output / "plain");
  EventLog(OutputFolder(output, 0).events()).add("epoch", epoch_with(0.75, {{87, 9}, {1, 3}}));
  EventLog(output / "plain" / "events.jsonl").add("epoch", epoch_with(1, {{88, 8}, {0, 4}}));
  const SideBySide both = side_by_side(output, 1);
  EXPECT_THAT(both.text, HasSubstr("test recall of marked"));
  EXPECT_THAT(both.text, HasSubstr("test confusion (accuracy)"));
  EXPECT_THAT(both.text, Not(HasSubstr("test confusion   ")));
  for (const char* cell : {"predicted ordinary", "predicted marked", "87 (88)", "9 (8)", "1 (0)", "3 (4)"}) {
    EXPECT_THAT(both.text, HasSubstr(cell));
  }
  const Json& told = both.json.back();
  EXPECT_EQ(told["what"], "test confusion");
  EXPECT_EQ(told["counts"], Json({{87, 9}, {1, 3}}));
  EXPECT_EQ(told["plain_counts"], Json({{88, 8}, {0, 4}}));
}

}  // namespace
}  // namespace tacit::launcher
