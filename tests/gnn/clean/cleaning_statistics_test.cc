#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

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
  EXPECT_THAT(refusal_of(good + "more\n"), HasSubstr("line 7: expected missing"));
  std::string changed = good;
  changed.replace(changed.find("counts 2 3"), 10, "counts 2 5");
  EXPECT_THAT(refusal_of(changed), HasSubstr("line 5: the counts do not fit"));
  changed = good.substr(0, good.rfind("missing"));
  EXPECT_THAT(refusal_of(changed), HasSubstr("not the columns and bins of the rules"));
  changed = good;
  changed.replace(changed.find("rows 10"), 7, "rows -1");
  EXPECT_THAT(refusal_of(changed), HasSubstr("line 4: expected a whole number"));
  changed = good;
  char& digit = changed[changed.find("rules ") + 6];
  digit = digit == '0' ? '1' : '0';
  EXPECT_THAT(refusal_of(changed), HasSubstr("by other rules"));
  for (const char* ranges :
       {"ranges 1 50 10 3", "ranges 2 0 9 4 8 20 6", "ranges 1 0 9 10", "ranges 1 0 90 9", "ranges 2 0 9 9"}) {
    changed = good;
    changed.insert(changed.find("bytes "), std::string(ranges) + "\n");
    EXPECT_THAT(refusal_of(changed), HasSubstr("range")) << ranges;
  }
  changed = good;
  changed[good.find('\n') - 1] = '1';
  EXPECT_THAT(refusal_of(changed), HasSubstr("an earlier version counted these statistics"));
}

CleaningStatistics noisy() {
  CleaningStatistics statistics(two_columns());
  statistics.parties = 3;
  statistics.noise = NoiseOnCounts{2.5, std::string(64, 'a')};
  statistics.kept = 8;
  statistics.columns[0].imputed = -2;
  statistics.columns[0].counts = {-3, 4};
  return statistics;
}

TEST(CleaningStatistics, WithNoiseAreTheSameAfterTheirText) {
  const std::string text = text_of(noisy());
  const CleaningStatistics read = parse_statistics(text, two_columns(), "some.counts");
  EXPECT_EQ(text_of(read), text);
  EXPECT_EQ(read.noise->deviation, 2.5);
  EXPECT_EQ(read.noise->session, std::string(64, 'a'));
  EXPECT_EQ(read.columns[0].counts, (std::vector<std::int64_t>{-3, 4}));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string bad = text;
    bad.replace(bad.find(from), from.size(), to);
    return refusal_of(bad);
  };
  EXPECT_THAT(changed("noise 2.5", "noise 0"), HasSubstr("line 4: expected the noise"));
  EXPECT_THAT(changed("noise 2.5", "noise x"), HasSubstr("line 4: expected the noise"));
  EXPECT_THAT(changed("session a", "session x"), HasSubstr("line 4: expected the noise"));
  EXPECT_THAT(changed("counts 2 -3", "counts -2 -3"), HasSubstr("out of range"));
  EXPECT_THAT(changed("-3 4", "-3 1000000000000000000"), HasSubstr("out of range"));
  EXPECT_THAT(changed("invalid 0", "invalid -1"), HasSubstr("expected a whole number"));
  EXPECT_THAT(changed("noise 2.5 tree session " + std::string(64, 'a') + "\n", ""),
              HasSubstr("expected a whole number"))
      << "only noise makes a count negative";
  EXPECT_TRUE(read.noise->tree);
  std::string older = text;
  older.replace(older.find("tree "), 5, "");
  EXPECT_FALSE(parse_statistics(older, two_columns(), "some.counts").noise->tree);
}

// Numbers by columns with a mode, median and mean of numbers, and a mean of codes, of 0 ... 10.
TEST(CleaningStatistics, WithNoiseReplaceByAValidValue) {
  CleaningRules rules;
  rules.columns.resize(4);
  for (CleaningColumn& column : rules.columns) column.range = {0, 10};
  rules.columns[0].repair = CleaningColumn::Repair::kMode;
  rules.columns[1].repair = CleaningColumn::Repair::kMedian;
  rules.columns[0].whole = rules.columns[1].whole = true;
  rules.columns[2].repair = rules.columns[3].repair = CleaningColumn::Repair::kMean;
  rules.columns[3].range.reset();
  rules.columns[3].codes = {{"a", 2}, {"b", 5}};
  CleaningStatistics all(rules);
  all.parties = 2;
  all.noise = NoiseOnCounts{1, std::string(64, '0')};
  all.kept = 100;
  all.columns[0].counts = {-50, 3, 3, 7, -2, 0, 0, 0, 0, 0, -90};
  all.columns[1].counts = {20, -3, 31, -5,  4, 6,
                           40, 0,  0,  -10, 3};  // half of 86 lies before 2, and before 3 it does not
  all.columns[2].imputed = -10;
  all.columns[2].sum = -5;
  all.columns[3].counts = {-4, 90};
  const auto numbers = [&] { return replacements(rules, all); };
  EXPECT_THROW(numbers(), ConfigError) << "no value is left of the first column's counts";
  all.columns[0].counts[10] = 90;
  all.columns[0].counts[3] = 91;
  EXPECT_EQ(numbers(), (std::vector<double>{3, 2, 0, 5}));
  all.columns[2].sum = std::int64_t{200} << 30;
  EXPECT_EQ(numbers()[2], 10);
  all.columns[2].sum = std::int64_t{55} << 30;
  EXPECT_EQ(numbers()[2], 5);
  all.columns[2].imputed = 100;
  EXPECT_THROW(numbers(), ConfigError);
}

// Noise moves the counts of all bins: the median must not lean to the side from which bins are added up.
TEST(CleaningStatistics, WithNoiseHaveAMedianWithoutALean) {
  CleaningRules rules;
  rules.columns.resize(1);
  rules.columns[0].range = {-1, 1};
  rules.columns[0].repair = CleaningColumn::Repair::kMedian;
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 40);
  double sum = 0, squares = 0;
  constexpr int kTimes = 300;
  for (int time = 0; time < kTimes; ++time) {
    CleaningStatistics all(rules);
    all.parties = 2;
    all.noise = NoiseOnCounts{40, std::string(64, '0')};
    all.columns[0].counts.assign(kCleaningBins, 0);
    for (std::int64_t& count : all.columns[0].counts) count = 10 + std::llround(noise(random));
    const double median = replacements(rules, all)[0];
    sum += median;
    squares += median * median;
  }
  const double deviation = std::sqrt(squares / kTimes);
  EXPECT_LT(deviation, 0.25) << "the counts below the middle are off by 45 x 40 of 20,480 rows";
  EXPECT_LT(std::abs(sum / kTimes), 4 * deviation / std::sqrt(kTimes));
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
