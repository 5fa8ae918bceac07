#include "bench/tables/table_five.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bench/tables/others.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

// Ours, and the report's model of the same kind.
constexpr std::array<std::pair<const char*, const char*>, 6> kSameKind = {
    {{"GCN, plain data", "plain GCN (the report)"},
     {"GraphSAGE, plain data", "GraphSAGE (the report)"},
     {"dense network, plain data", "ANN (the report)"},
     {"exact Gaussian process", "Gaussian-process regression (the report)"},
     {"sparse Gaussian process, 40 points", "variational Gaussian-process regression (the report)"},
     {"mean over neighbours", "Meaner (the report)"}}};

std::string report_model(const std::string& ours) {
  for (const auto& [name, theirs] : kSameKind) {
    if (ours == name) return theirs;
  }
  return "";
}

const Row* report_row(const Table& table, const std::string& model, const std::string& epochs) {
  for (const Row& row : table.rows) {
    if (row.label("model") == model && row.label("epochs") == epochs) return &row;
  }
  return nullptr;
}

Table report_table() {
  const std::vector<Measurements> all = others("accuracy");
  const auto found = std::find_if(all.begin(), all.end(), [](const Measurements& one) {
    return report_row(one.tables().front(), kSameKind.front().second, "all") != nullptr;
  });
  TACIT_CHECK(found != all.end());  // the file is part of this program
  return found->tables().front();
}

}  // namespace

void add_table_five(Table& models, std::int64_t few_epochs) {
  const Table report = report_table();
  for (Row& row : models.rows) {
    const bool few = row.label("epochs") == std::to_string(few_epochs);
    const Row* theirs = report_row(report, report_model(row.label("model")), few ? "100" : "all");
    if (theirs == nullptr) continue;
    for (const auto& [name, samples] : theirs->figures) {
      row.figure("report's " + name, samples.unit()).add(samples.median());
    }
  }
}

Aim order_aim(const Table& models, const std::string& data, const std::vector<RankedModel>& order) {
  std::string wanted, measured;
  bool ascends = true;
  double before = 0;
  for (const RankedModel& one : order) {
    const Samples* errors = nullptr;
    for (const Row& row : models.rows) {
      const bool same =
          row.label("data") == data && row.label("model") == one.model && row.label("epochs") == one.epochs;
      if (same) errors = row.find("test RMSE");
    }
    TACIT_CHECK(errors != nullptr);
    const double error = errors->median();
    wanted += (wanted.empty() ? "" : " < ") + one.model.substr(0, one.model.find(','));
    measured += fmt::format("{}{:.2f}", measured.empty() ? "" : ", ", error);
    ascends = ascends && error > before;
    before = error;
  }
  return {fmt::format("order of test RMSE, {}", data), wanted, measured, ascends};
}

}  // namespace tacit::launcher
