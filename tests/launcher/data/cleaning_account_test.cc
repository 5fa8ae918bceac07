#include "launcher/data/cleaning_account.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gnn/clean/count_tree.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kBin = 2047;

// 784 numbers in one bin, and noise of `deviation` rows on each count.
std::string account(double deviation, bool tree = true) {
  gnn::CleaningRules rules;
  gnn::CleaningColumn column;
  column.name = "age";
  column.range = {0, 100};
  column.repair = gnn::CleaningColumn::Repair::kMedian;
  rules.columns = {column};
  gnn::CleaningStatistics all(rules);
  all.rows = all.kept = 800;
  all.columns[0].imputed = all.columns[0].missing = 16;
  all.columns[0].counts[kBin] = 784;
  if (deviation > 0) all.noise = {deviation, std::string(64, 'a'), tree};
  return cleaning_account(rules, all, &all).text;
}

TEST(CleaningAccount, TellsHowFarNoiseMovesAMedian) {
  const double half = gnn::noise_of_half(gnn::kCleaningBins, kBin);
  EXPECT_THAT(account(10), HasSubstr(fmt::format("which noise moves by about {:.0f} of 784 places\n", 10 * half)));
  EXPECT_THAT(account(80),
              HasSubstr(fmt::format("by about {:.0f} of 784 places: it tells next to nothing", 80 * half)));
  EXPECT_THAT(account(13.2, false),
              HasSubstr("which noise moves by about 422 of 784 places: it tells next to nothing"));
  EXPECT_THAT(account(1, false), HasSubstr("which noise moves by about 32 of 784 places\n")) << "of an older version";
  EXPECT_THAT(account(0), Not(HasSubstr("noise")));
}

TEST(CleaningAccount, TellsHowWideTheBinOfAMedianIs) {
  EXPECT_THAT(account(0), HasSubstr("16 imputed by the median"));
  EXPECT_THAT(account(0), AllOf(HasSubstr("(within 0.0"), Not(HasSubstr("narrower range"))));
  gnn::CleaningRules rules;
  gnn::CleaningColumn column;
  column.name = "amount";
  column.range = {0, 1e9};
  column.repair = gnn::CleaningColumn::Repair::kMedian;
  rules.columns = {column};
  gnn::CleaningStatistics all(rules);
  all.rows = all.kept = 800;
  all.columns[0].imputed = all.columns[0].missing = 16;
  all.columns[0].counts[0] = 700;
  all.columns[0].counts[9] = 84;
  EXPECT_THAT(cleaning_account(rules, all, &all).text,
              HasSubstr("(within 0.36; 700 of 784 values are so close to it: state a narrower range"));
}

TEST(CleaningAccount, CountsRowsWithoutALabel) {
  gnn::CleaningRules rules;
  gnn::CleaningColumn column;
  column.name = "status";
  column.role = gnn::CleaningColumn::Role::kClass;
  column.codes = {{"0", 0}, {"1", 1}};
  column.repair = gnn::CleaningColumn::Repair::kUnlabelled;
  rules.columns = {column};
  gnn::CleaningStatistics of(rules);
  of.rows = of.kept = 800;
  of.columns[0].imputed = of.columns[0].missing = 16;
  const Answer answer = cleaning_account(rules, of, &of);
  EXPECT_THAT(answer.text, HasSubstr("status: 16 missing, 0 invalid, 16 rows kept without a label"));
  EXPECT_EQ(answer.json["columns"]["status"]["unlabelled"], 16);
}

}  // namespace
}  // namespace tacit::launcher
