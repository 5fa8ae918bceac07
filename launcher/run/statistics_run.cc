#include "launcher/run/statistics_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "gnn/clean/summed_statistics.h"
#include "gnn/data/atomic_file.h"
#include "gnn/data/unfinished_files.h"
#include "launcher/data/cleaning_rules.h"
#include "launcher/data/new_file.h"
#include "launcher/text_file.h"
#include "mpc/random/nonce.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::string_view kOwnStatistics = "its statistics";

struct OwnStatistics {
  std::string file, out;
  gnn::CleaningRules rules;
  gnn::CleaningStatistics counted;
};

std::string at_rank(const std::string& pattern, int rank) {
  constexpr std::string_view kRank = "{rank}";
  std::string name = pattern;
  if (const std::size_t at = name.find(kRank); at != std::string::npos) {
    name.replace(at, kRank.size(), fmt::format("{}", rank));
  }
  return name;
}

void read(OwnStatistics& own, const StatisticsOrder& order, int rank) {
  if (order.rules.empty() || own.file.empty() || own.out.empty()) {
    throw ConfigError(
        fmt::format("rank {} is a party, and adds its statistics: say --rules, --statistics and --out", rank), "",
        "has no statistics");
  }
  own.rules = load_cleaning_rules(at_rank(order.rules, rank));
  expect_absent(own.out, order.force);
  own.counted =
      gnn::parse_statistics(read_text_file(own.file, gnn::kMostStatisticsBytes, "statistics"), own.rules, own.file);
  if (own.counted.parties > 0) {
    throw ConfigError(fmt::format(
        "{}: these are statistics of all parties already; expected what `tacit data clean --statistics` counted in the "
        "party's own table",
        own.file));
  }
}

Answer add_up(net::Mesh& mesh, const OwnStatistics& own, int rank) {
  const gnn::CleaningStatistics all = gnn::sum_over_parties(mesh, own.rules, own.counted);
  const std::string text = text_of(all);
  about_own(kOwnStatistics, [&] {
    gnn::AtomicFile out(own.out);
    out.write(std::as_bytes(std::span(text)));
    out.commit();
  });
  const std::int64_t revealed = gnn::revealed_numbers(own.rules);
  Json columns = Json::array();
  std::vector<std::string> names;
  for (const gnn::CleaningColumn& column : own.rules.columns) {
    if (!column.uses_statistic()) continue;
    columns.push_back(column.name);
    names.push_back(net::printable(column.name, 60));
  }
  Answer answer;
  answer.json = {{"rank", rank},
                 {"file", own.out},
                 {"kept", all.kept},
                 {"revealed", {{"numbers", revealed}, {"of_columns", std::move(columns)}}}};
  answer.text = fmt::format(
      "rank {}: {}: {} kept rows of {} parties\n"
      "  revealed to all parties: {} sums over their tables (kept rows; imputed and counted values of {})\n"
      "  kept on shares: each party's own counts\n",
      rank, own.out, all.kept, all.parties, revealed, fmt::join(names, ", "));
  return answer;
}

Errand errand_of(const StatisticsOrder& order) {
  Errand errand;
  errand.name = "data sum-statistics";
  errand.at_dealer = "the dealer has no statistics; the parties have finished, and sent it nothing of them";
  errand.of_dealer = [](net::Mesh& mesh) { mpc::agree_on_nonce(mesh); };
  errand.part_of = [&order](int rank, int) {
    const auto own = std::make_shared<OwnStatistics>();
    own->file = at_rank(order.statistics, rank);
    own->out = at_rank(order.out, rank);
    return Errand::Part{[&order, own, rank] { about_own(kOwnStatistics, [&] { read(*own, order, rank); }); },
                        [own, rank](net::Mesh& mesh, Progress&) { return add_up(mesh, *own, rank); },
                        [out = own->out] {
                          if (!out.empty()) gnn::remove_unfinished_of(out);
                        }};
  };
  return errand;
}

void expect_addable(const Job& job) {
  if (job.training.privacy) {
    throw ConfigError(
        "the job has a table [privacy], and exact statistics of all tables tell of single records, which no noise "
        "covers; impute by constants, as constant = 0 in the rules");
  }
  if (job.parties < 2) throw ConfigError("one party has the whole table: there is nothing to add up");
}

}  // namespace

Answer run_sum_of_statistics(const StatisticsOrder& order, const net::GetVariable& get) {
  expect_addable(order.errand.job.job);
  return run_errand(order.errand, errand_of(order), get);
}

Answer run_sum_of_all_statistics(const StatisticsOrder& order, const net::GetVariable& get) {
  expect_addable(order.errand.job.job);
  if (order.out.find("{rank}") == std::string::npos || order.statistics.find("{rank}") == std::string::npos) {
    throw ConfigError("with --all, the names --statistics and --out need {rank}, the number of each party");
  }
  return run_errand_of_all(order.errand, errand_of(order), get);
}

}  // namespace tacit::launcher
