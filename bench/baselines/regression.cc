#include "bench/baselines/regression.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "net/error.h"

namespace tacit::gnn {

namespace {

[[noreturn]] void refuse(const std::string& what, std::string local_detail = "") {
  throw ConfigError("regression: " + what, std::move(local_detail));
}

void check_rows(const Rows& rows, std::int64_t nodes, std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= nodes) refuse(fmt::format("{} node {} is not one of {}", name, rows[i], nodes));
    if (i > 0 && rows[i] <= rows[i - 1]) refuse(fmt::format("{} nodes do not ascend at node {}", name, rows[i]));
  }
}

bool usable(double value) { return std::abs(value) < 1e100; }

void check_targets(const Matrix& y, const Rows& rows) {
  for (const std::int64_t row : rows) {
    if (usable(y(row, 0))) continue;
    refuse(fmt::format("the target of node {} is not a number below 1e100", row), fmt::format("it is {}", y(row, 0)));
  }
}

}  // namespace

void check(const RegressionData& data) {
  if (data.y.cols() != 1) refuse(fmt::format("{} target columns; expected one", data.y.cols()));
  if (data.x.rows() != data.y.rows()) {
    refuse(fmt::format("features of {} nodes and targets of {}", data.x.rows(), data.y.rows()));
  }
  if (data.train.empty()) refuse("no node to train on");
  check_rows(data.train, data.x.rows(), "training");
  check_rows(data.validation, data.x.rows(), "validation");
  for (std::int64_t row = 0; row < data.x.rows(); ++row) {
    const bool all = (data.x.row(row).array().abs() < 1e100).all();
    if (!all) refuse(fmt::format("a feature of node {} is not a number below 1e100", row));
  }
  check_targets(data.y, data.train);
  check_targets(data.y, data.validation);
}

// Not column(rows, 0): Eigen 3.4 takes this for a row if the matrix is row-major, and computes a wrong norm.
Eigen::VectorXd values_at(const Matrix& column, const Rows& rows) {
  const Eigen::VectorXd all = column.col(0);
  return all(rows);
}

}  // namespace tacit::gnn
