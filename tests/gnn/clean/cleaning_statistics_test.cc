#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gnn/clean/statistics.h"
#include "net/error.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

CleaningRules two_columns() {
  CleaningRules rules;
  rules.columns.resize(2);
  rules.columns[0].name = "sex";
  rules.columns[0].codes = {{"0", 0}, {"1", 1}};
  rules.columns[0].repair = CleaningColumn::Repair::kMode;
  rules.columns[1].name = "age";
  return rules;
}

CleaningStatistics some(std::int64_t scale) {
  CleaningStatistics statistics(two_columns());
  statistics.bytes = 100 * scale;
  statistics.rows = 10 * scale;
  statistics.kept = 8 * scale;
  statistics.columns[0].imputed = scale;
  statistics.columns[0].counts = {3 * scale, 4 * scale};
  statistics.columns[1].dropped = 2 * scale;
  return statistics;
}

std::string refusal_of(const std::string& text) {
  try {
    parse_statistics(text, two_columns(), "some.counts");
    return "accepted";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(CleaningStatistics, AreTheSameAfterTheirText) {
  const std::string text = text_of(some(7));
  EXPECT_EQ(text_of(parse_statistics(text, two_columns(), "some.counts")), text);
}

TEST(CleaningStatistics, AddUpAndRefuseWhatCannotBeCounted) {
  CleaningStatistics sum = some(2);
  sum.add(some(3));
  EXPECT_EQ(text_of(sum), text_of(some(5)));
  CleaningStatistics many = some(1);
  many.bytes = std::int64_t{1} << 62;
  EXPECT_THROW(sum.add(many), ConfigError);
  CleaningRules other = two_columns();
  other.columns[1].whole = true;
  EXPECT_THROW(sum.add(CleaningStatistics(other)), ConfigError);
}

TEST(CleaningStatistics, OfADamagedFileAreRefusedWithTheLine) {
  const std::string good = text_of(some(1));
  for (std::size_t end = 0; end < good.size(); ++end) {
    EXPECT_THAT(refusal_of(good.substr(0, end)), HasSubstr("some.counts: ")) << end;
  }
  EXPECT_THAT(refusal_of(good + "more\n"), HasSubstr("line 6: expected missing"));
  std::string changed = good;
  changed.replace(changed.find("counts 2 3"), 10, "counts 2 5");
  EXPECT_THAT(refusal_of(changed), HasSubstr("line 4: the counts do not fit"));
  changed = good.substr(0, good.rfind("missing"));
  EXPECT_THAT(refusal_of(changed), HasSubstr("not the columns and bins of the rules"));
  changed = good;
  changed.replace(changed.find("rows 10"), 7, "rows -1");
  EXPECT_THAT(refusal_of(changed), HasSubstr("line 3: expected a whole number"));
  changed = good;
  changed[changed.find("rules ") + 6] ^= 1;
  EXPECT_THAT(refusal_of(changed), HasSubstr("by other rules"));
}

TEST(CleaningStatistics, ReplaceByTheSmallerOfTwoModes) {
  CleaningStatistics statistics = some(1);
  EXPECT_EQ(replacements(two_columns(), statistics)[0], 1);
  statistics.columns[0].counts = {4, 4};
  EXPECT_EQ(replacements(two_columns(), statistics)[0], 0);
  statistics.columns[0].imputed = 8;
  EXPECT_THROW(replacements(two_columns(), statistics), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
