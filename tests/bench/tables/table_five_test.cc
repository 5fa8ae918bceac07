#include "bench/tables/table_five.h"

#include <gmock/gmock.h>

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

Row& add(Table& table, const std::string& model, const std::string& epochs, const std::vector<double>& errors) {
  Row& row = table.add({{"data", "here"}, {"model", model}, {"epochs", epochs}});
  for (const double error : errors) row.figure("test RMSE", "ug/m3").add(error);
  return row;
}

TEST(TableFive, PutsTheReportsFiguresBesideTheSameKindOfModel) {
  Table table;
  for (const char* epochs : {"7", "1000"}) {
    add(table, "GCN, plain data", epochs, {1});
    add(table, "GCN on shares", epochs, {1});
  }
  add(table, "GraphSAGE, plain data", "tuned, up to 1000", {1});
  add(table, "mean predictor", "", {1});
  add_table_five(table, 7);
  const auto report = [&](std::size_t row, const char* figure) {
    const Samples* samples = table.rows[row].find(std::string("report's ") + figure);
    return samples == nullptr ? 0 : samples->median();
  };
  EXPECT_EQ(report(0, "train RMSE"), 109.95);
  EXPECT_EQ(report(0, "training time"), 0.438);
  EXPECT_EQ(report(1, "test RMSE"), 0) << "the report trained nothing on shares to the end";
  EXPECT_EQ(report(2, "test RMSE"), 50.80);
  EXPECT_EQ(report(4, "test RMSE"), 34.15);
  EXPECT_EQ(report(4, "train RMSE"), 0) << "a dash";
  EXPECT_EQ(report(5, "test RMSE"), 0);
}

TEST(TableFive, AnOrderFollowsTheMedians) {
  Table table;
  add(table, "exact", "all", {10, 11, 100});
  add(table, "dense, plain data", "5", {12, 1, 13});
  const Aim right = order_aim(table, "here", {{"exact", "all"}, {"dense, plain data", "5"}});
  EXPECT_EQ(right.wanted, "exact < dense");
  EXPECT_EQ(right.measured, "11.00, 12.00");
  EXPECT_TRUE(right.met);
  EXPECT_THAT(right.what, HasSubstr("here"));
  EXPECT_FALSE(order_aim(table, "here", {{"dense, plain data", "5"}, {"exact", "all"}}).met);
}

}  // namespace
}  // namespace tacit::launcher
