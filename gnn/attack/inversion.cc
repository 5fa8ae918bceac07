#include "gnn/attack/inversion.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "net/error.h"

namespace tacit::gnn {

namespace {

// The values of a column with their numbers of records; empty if they are too many.
std::map<double, std::int64_t> values_of(const Matrix& x, Eigen::Index column) {
  std::map<double, std::int64_t> counts;
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    ++counts[x(row, column)];
    if (std::ssize(counts) > kMostGuessedValues) return {};
  }
  return counts;
}

// The value of the column that fits each record's label best; the commonest of equally good ones.
std::vector<double> guesses(const Rehearsal& rehearsal, const std::vector<NamedMatrix>& model, Eigen::Index column,
                            const std::vector<double>& by_count) {
  Matrix x = rehearsal.data().x;
  std::vector<double> best(static_cast<std::size_t>(x.rows()), -INFINITY), guess(best.size(), by_count.front());
  for (const double value : by_count) {
    x.col(column).setConstant(value);
    const std::vector<double> fit = rehearsal.fit(rehearsal.outputs(model, x));
    for (std::size_t row = 0; row < fit.size(); ++row) {
      if (!(fit[row] > best[row])) continue;
      best[row] = fit[row];
      guess[row] = value;
    }
  }
  return guess;
}

double right(const std::vector<double>& guess, const Matrix& x, Eigen::Index column, const Rows& rows) {
  const auto is_right = [&](std::int64_t row) { return guess[static_cast<std::size_t>(row)] == x(row, column); };
  return static_cast<double>(std::count_if(rows.begin(), rows.end(), is_right)) /
         static_cast<double>(std::max<std::int64_t>(std::ssize(rows), 1));
}

}  // namespace

std::vector<InvertedColumn> attack_inversion(const Rehearsal& rehearsal, const std::vector<NamedMatrix>& model,
                                             std::uint64_t seed) {
  for (const LayerSpec& layer : rehearsal.plan().model.layers) {
    if (layer.gathers()) {
      throw ConfigError(
          "the model gathers over edges, so a row's label depends on other rows' features; inversion is for "
          "models of dense layers");
    }
  }
  const PlainData& data = rehearsal.data();
  Rows others = data.validation, all = data.train;
  others.insert(others.end(), data.test.begin(), data.test.end());
  if (data.train.empty() || others.empty()) {
    throw ConfigError(
        "an attack needs records that were trained on, and others: masks for training, and for validation or tests");
  }
  all.insert(all.end(), others.begin(), others.end());
  const std::vector<NamedMatrix> blank = rehearsal.untrained(seed);
  std::vector<InvertedColumn> columns;
  for (Eigen::Index column = 0; column < data.x.cols(); ++column) {
    const std::map<double, std::int64_t> counts = values_of(data.x, column);
    if (counts.size() < 2) continue;
    std::vector<double> by_count;
    for (const auto& [value, count] : counts) by_count.push_back(value);
    std::stable_sort(by_count.begin(), by_count.end(), [&](double a, double b) { return counts.at(a) > counts.at(b); });
    const std::vector<double> guess = guesses(rehearsal, model, column, by_count);
    InvertedColumn& one = columns.emplace_back();
    one.column = column;
    one.values = std::ssize(counts);
    one.members = right(guess, data.x, column, data.train);
    one.others = right(guess, data.x, column, others);
    one.untrained = right(guesses(rehearsal, blank, column, by_count), data.x, column, all);
    one.commonest = right(std::vector<double>(guess.size(), by_count.front()), data.x, column, all);
    const double p = right(guess, data.x, column, all);
    one.error = std::sqrt(
        p * (1 - p) * (1 / static_cast<double>(std::ssize(data.train)) + 1 / static_cast<double>(std::ssize(others))));
  }
  if (columns.empty()) {
    throw ConfigError("no column has 2 to 16 different values; inversion guesses such columns alone");
  }
  return columns;
}

}  // namespace tacit::gnn
