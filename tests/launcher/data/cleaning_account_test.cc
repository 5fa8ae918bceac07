#include "launcher/data/cleaning_account.h"

#include <gmock/gmock.h>

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

// 784 numbers in the lowest bins, and noise of `deviation` rows on each count.
std::string account(double deviation) {
  gnn::CleaningRules rules;
  gnn::CleaningColumn column;
  column.name = "age";
  column.range = {0, 100};
  column.repair = gnn::CleaningColumn::Repair::kMedian;
  rules.columns = {column};
  gnn::CleaningStatistics all(rules);
  all.rows = all.kept = 800;
  all.columns[0].imputed = all.columns[0].missing = 16;
  all.columns[0].counts[3] = 784;
  if (deviation > 0) all.noise = {deviation, std::string(64, 'a')};
  return cleaning_account(rules, all, &all).text;
}

TEST(CleaningAccount, TellsHowFarNoiseMovesAMedian) {
  EXPECT_THAT(account(13.2), HasSubstr("which noise moves by about 422 of 784 places: it tells next to nothing"));
  EXPECT_THAT(account(1), HasSubstr("which noise moves by about 32 of 784 places\n"));
  EXPECT_THAT(account(0), Not(HasSubstr("noise")));
}

}  // namespace
}  // namespace tacit::launcher
