#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "gnn/clean/rules.h"
#include "net/error.h"

namespace tacit::gnn {
namespace {

using Repair = CleaningColumn::Repair;
using Role = CleaningColumn::Role;

CleaningRules good_rules() {
  CleaningRules rules;
  rules.columns.resize(2);
  rules.columns[0].name = "age";
  rules.columns[0].range = {0, 100};
  rules.columns[1].name = "label";
  rules.columns[1].role = Role::kClass;
  rules.columns[1].codes = {{"0", 0}, {"1", 1}};
  return rules;
}

void expect_refused(const std::function<void(CleaningRules&)>& change, const std::string& why) {
  CleaningRules rules = good_rules();
  EXPECT_NO_THROW(check(rules));
  change(rules);
  try {
    check(rules);
    FAIL() << why;
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(why));
  }
}

TEST(CleaningRules, ThatContradictThemselvesAreRefused) {
  expect_refused([](auto& rules) { rules.columns[0].range = {5, 5}; }, "the smaller one first");
  expect_refused([](auto& rules) { rules.columns[0].range = {-1e308, 1e308}; }, "two finite numbers");
  expect_refused([](auto& rules) { rules.columns[1].range = {0, 1}; }, "codes, or a range");
  expect_refused([](auto& rules) { rules.columns[1].missing = {"1"}; }, "1 is both allowed and missing");
  expect_refused([](auto& rules) { rules.columns[1].codes.push_back({"1", 2}); }, "1 is there twice");
  expect_refused([](auto& rules) { rules.columns[1].codes.push_back({"", 2}); }, "an empty field");
  expect_refused([](auto& rules) { rules.columns[1].codes[0].number = 0.5; }, "a class is a whole number");
  expect_refused([](auto& rules) { rules.columns[1].codes.clear(); }, "a class is a whole number");
  expect_refused([](auto& rules) { rules.columns[1].repair = Repair::kMean; }, "the mean of classes");
  expect_refused([](auto& rules) { rules.columns[0].name = "label"; }, "there twice");
  expect_refused([](auto& rules) { rules.columns[1].log = true; }, "log = true is for features alone");
  expect_refused([](auto& rules) { rules.columns[1].one_hot = true; }, "one_hot = true is for features alone");
  expect_refused(
      [](auto& rules) {
        rules.columns[0].log = true;
        rules.columns[0].range = {-1, 100};
      },
      "numbers from 0 on");
  expect_refused([](auto& rules) { rules.columns[0].one_hot = true; }, "a column for each allowed value; state them");
  expect_refused(
      [](auto& rules) {
        rules.columns[0].one_hot = true;
        rules.columns[0].range.reset();
        rules.columns[0].codes = {{"0", 0}, {"1", 1}};
        rules.columns[0].repair = Repair::kMedian;
      },
      "no column for a median or mean");
  expect_refused(
      [](auto& rules) {
        rules.columns.push_back(rules.columns[0]);
        rules.columns.back().name = "age=1";
        rules.columns[0].one_hot = true;
        rules.columns[0].range.reset();
        rules.columns[0].codes = {{"0", 0}, {"1", 1}};
      },
      "makes a column age=1, and the table has one of this name");
  expect_refused([](auto& rules) { rules.columns[0].role = Role::kTarget; }, "a class and a target");
  expect_refused(
      [](auto& rules) {
        rules.columns.resize(1);
        rules.columns[0] = {};
        rules.columns[0].role = Role::kName;
      },
      "no column is a feature, a label or a split");
  expect_refused(
      [](auto& rules) {
        rules.columns[0].range.reset();
        rules.columns[0].repair = Repair::kMedian;
      },
      "needs their range");
  expect_refused(
      [](auto& rules) {
        rules.columns[0].repair = Repair::kConstant;
        rules.columns[0].constant = 101;
      },
      "101 is no valid value");
  expect_refused([](auto& rules) { rules.columns[0].repair = Repair::kMode; }, "needs a count of each");
  expect_refused([](auto& rules) { rules.columns[0].repair = Repair::kUnlabelled; }, "only a label may be unknown");
  expect_refused([](auto& rules) { rules.split = {{0.5, 0.5, 1}}; }, "below 1");
  expect_refused([](auto& rules) { rules.split = {{-0.1, 0.5, 1}}; }, "below 1");
}

TEST(CleaningRules, HaveAnotherDigestAfterEachChange) {
  const std::string digest = digest_text(good_rules());
  EXPECT_EQ(digest.size(), 64u);
  const std::vector<std::function<void(CleaningRules&)>> changes = {
      [](auto& rules) { rules.columns[0].name = "agE"; },
      [](auto& rules) { rules.columns[0].range->second = 101; },
      [](auto& rules) { rules.columns[0].missing = {"9"}; },
      [](auto& rules) { rules.columns[0].whole = true; },
      [](auto& rules) { rules.columns[0].log = true; },
      [](auto& rules) { rules.columns[0].one_hot = true; },
      [](auto& rules) { rules.columns[0].constant = 1; },
      [](auto& rules) { rules.columns[0].repair = Repair::kConstant; },
      [](auto& rules) { rules.columns[1].role = Role::kTarget; },
      [](auto& rules) { rules.columns[1].codes[1].text = "one"; },
      [](auto& rules) { rules.columns[1].codes[1].number = 2; },
      [](auto& rules) { rules.columns[1].numeric_codes = false; },
      [](auto& rules) { rules.drop_malformed = true; },
      [](auto& rules) { rules.drop_other_columns = false; },
      [](auto& rules) {
        rules.split = {{0.1, 0.1, 1}};
      },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CleaningRules rules = good_rules();
    changes[i](rules);
    EXPECT_NE(digest_text(rules), digest) << i;
  }
}

}  // namespace
}  // namespace tacit::gnn
