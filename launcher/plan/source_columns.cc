#include "launcher/plan/source_columns.h"

#include <fmt/format.h>

#include "launcher/unit_text.h"
#include "mpc/correlations/pairwise_correlations.h"

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

std::string about_source(const Job& job) {
  if (!job.is_pairwise()) return "";
  const mpc::MadeCost start = mpc::start_cost(static_cast<int>(job.parties), 0);
  return fmt::format(
      "making: the part of the rounds, and of the bytes of the busiest party, with which the parties make the "
      "correlations\n"
      "before the first one, {} rounds and {} from each party\n",
      start.rounds, size_text_of(start.bytes));
}

}  // namespace tacit::launcher
