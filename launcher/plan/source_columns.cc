#include "launcher/plan/source_columns.h"

#include <fmt/format.h>

#include "gnn/run/bounded_leakage.h"
#include "launcher/unit_text.h"
#include "mpc/correlations/pairwise_correlations.h"
#include "mpc/ot/leakage_units.h"

namespace tacit::launcher {

namespace {

std::string size_text_of(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

}  // namespace

void add_heading_of_source(const Job& job, std::vector<std::string>& row) {
  if (job.helpers() > 0) row.emplace_back("dealer sends");
  if (job.is_pairwise()) row.insert(row.end(), {"making: rounds", "making: sends"});
}

void add_source(const Job& job, const mpc::Cost& cost, std::vector<std::string>& row) {
  if (job.helpers() > 0) row.push_back(size_text_of(cost.dealt_bytes));
  if (job.is_pairwise()) row.insert(row.end(), {fmt::format("{}", cost.made_rounds), size_text_of(cost.made_bytes)});
}

std::string about_leakage(const Job& job, std::int64_t leakage, const std::string& in) {
  if (!job.is_pairwise()) return "";
  return fmt::format("leakage: what its lattice answers tell about a party's masks is at most {} in {} (limit: {})\n",
                     gnn::leakage_text(leakage), in, gnn::leakage_text(mpc::kMostLeakage));
}

Json leakage_json(std::int64_t leakage) {
  return {{"log2", leakage > 0 ? Json(mpc::log2_of_leakage(leakage)) : Json()},
          {"most", mpc::log2_of_leakage(mpc::kMostLeakage)}};
}

std::string about_source(const Job& job) {
  if (!job.is_pairwise()) return "";
  const mpc::MadeCost start = mpc::start_cost(static_cast<int>(job.parties), 0, job.training.correlations_from());
  return fmt::format(
      "making: the part of the rounds, and of the bytes of the busiest party, with which the parties make the "
      "correlations\n"
      "before the first one, {} rounds and {} from each party\n",
      start.rounds, size_text_of(start.bytes));
}

}  // namespace tacit::launcher
