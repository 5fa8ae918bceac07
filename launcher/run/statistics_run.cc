#include "launcher/run/statistics_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <span>

#include "gnn/clean/summed_statistics.h"
#include "gnn/data/atomic_file.h"
#include "gnn/data/unfinished_files.h"
#include "gnn/privacy/privacy_ledger.h"
#include "launcher/data/cleaning_rules.h"
#include "launcher/data/new_file.h"
#include "launcher/privacy/ledger_summary.h"
#include "launcher/text_file.h"
#include "mpc/random/nonce.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::string_view kOwnStatistics = "its statistics", kOwnLedger = "its privacy ledger";
constexpr std::string_view kRevealed = "statistics of all tables, with noise";

// One party's account of the noisy sums.
class SpentOnStatistics {
 public:
  // Throws ConfigError if the ledger is damaged or locked.
  SpentOnStatistics(const std::string& ledger, int rank, const gnn::Budget& budget)
      : budget_(budget), ledger_(ledger, fmt::format("rank {}", rank)) {}

  const gnn::Budget& budget() const { return budget_; }
  const std::optional<gnn::Charge>& charge() const { return charge_; }
  bool in_new_ledger() const { return ledger_.is_new(); }

  // The same command, with the same table and rules, counts as one job: after a crash it may start again.
  void reserve(const mpc::Nonce& session, const gnn::CleaningStatistics& own, const gnn::PrivacyPlan& plan) {
    const std::string job = fmt::format("statistics {} {} {}", own.rules, budget_.epsilon, budget_.delta);
    gnn::SessionStart start{
        session, mpc::digest_of(std::as_bytes(std::span(job))), gnn::digest_of_table(own.table.text()), {}};
    charge_ = ledger_.reserve(start, plan);
  }
  void before_reveal() { ledger_.revealed(kRevealed, "all parties", 1); }
  void end() { ledger_.ended(); }
  // After a failure. The ledger has spent nothing if it has no reveal, and nothing stays reserved.
  void give_up() noexcept {
    try {
      if (charge_ && ledger_.content().open) ledger_.ended();
    } catch (const std::exception&) {
      // The reservation stays open; the next job's error says how to end it.
    }
  }

 private:
  gnn::Budget budget_;
  gnn::PrivacyLedger ledger_;
  std::optional<gnn::Charge> charge_;
};

struct OwnStatistics {
  std::string file, out;
  gnn::CleaningRules rules;
  gnn::CleaningStatistics counted;
  std::optional<SpentOnStatistics> spent;  // with noise
};

std::string at_rank(const std::string& pattern, int rank) {
  constexpr std::string_view kRank = "{rank}";
  std::string name = pattern;
  if (const std::size_t at = name.find(kRank); at != std::string::npos) {
    name.replace(at, kRank.size(), fmt::format("{}", rank));
  }
  return name;
}

// Checks the party's options for noise against the job's [privacy]. The dealer has no such options.
void expect_noise(const StatisticsOrder& order) {
  const std::optional<gnn::PrivacySettings>& privacy = order.errand.job.job.training.privacy;
  if (!order.epsilon) {
    if (order.delta || !order.ledger.empty()) {
      throw ConfigError("--delta and --ledger are of noise: say --epsilon, too", "",
                        "are asked for without an epsilon");
    }
    if (!privacy || privacy->unit != gnn::PrivacyUnit::kRecord) return;
    throw ConfigError(
        "the job has a table [privacy], and exact statistics of all tables tell of single records, which no noise "
        "covers: say --epsilon, which adds noise, or impute by constants, as constant = 0 in the rules",
        "", "are asked for without noise, and the job has a table [privacy]: say --epsilon");
  }
  if (!order.delta && !privacy) {
    throw ConfigError("--epsilon needs --delta, less than one divided by the number of rows, as 1e-6", "",
                      "are asked for without a delta");
  }
  if (order.ledger.empty() && order.errand.job.job.ledger.empty()) {
    throw ConfigError(
        "statistics with noise spend privacy, and later jobs on these rows must know of it: say --ledger FILE, or "
        "ledger in the job's table [privacy]",
        "", "have no privacy ledger: say --ledger");
  }
}

void read(OwnStatistics& own, const StatisticsOrder& order, int rank) {
  if (order.rules.empty() || own.file.empty() || own.out.empty()) {
    throw ConfigError(
        fmt::format("rank {} is a party, and adds its statistics: say --rules, --statistics and --out", rank), "",
        "has no statistics");
  }
  expect_noise(order);
  own.rules = load_cleaning_rules(at_rank(order.rules, rank));
  expect_absent(own.out, order.force);
  own.counted =
      gnn::parse_statistics(read_text_file(own.file, gnn::kMostStatisticsBytes, "statistics"), own.rules, own.file);
  if (own.counted.parties > 0) {
    throw ConfigError(fmt::format(
        "{}: these are statistics of all parties already; expected the statistics that `tacit data clean --statistics` "
        "makes of the party's own table",
        own.file));
  }
  if (!order.epsilon) return;
  const Job& job = order.errand.job.job;
  const double delta = order.delta ? *order.delta : job.training.privacy->delta;
  if (delta * static_cast<double>(own.counted.kept) >= 1) {
    throw ConfigError(
        fmt::format("delta {:g} is no less than one divided by the {} rows of {}: it would allow to reveal a whole row",
                    delta, own.counted.kept, own.file),
        "", "are of too many rows for this delta");
  }
  const std::string ledger = order.ledger.empty() ? job.ledger.of(rank) : at_rank(order.ledger, rank);
  about_own(kOwnLedger, [&] { own.spent.emplace(ledger, rank, gnn::Budget{*order.epsilon, delta}); });
}

// The sums that are revealed without noise, or with noise and an entry in the party's ledger.
gnn::CleaningStatistics sum_of(net::Mesh& mesh, OwnStatistics& own, const gnn::NoisySums* noisy) {
  if (noisy == nullptr) return gnn::sum_over_parties(mesh, own.rules, own.counted);
  try {
    gnn::CleaningStatistics all = gnn::sum_over_parties(mesh, own.rules, own.counted, noisy);
    about_own(kOwnLedger, [&] { own.spent->end(); });
    return all;
  } catch (...) {
    own.spent->give_up();
    throw;
  }
}

void tell_noise(const OwnStatistics& own, const gnn::StatisticsNoise& noise, Answer& answer) {
  const gnn::Budget& budget = own.spent->budget();
  std::vector<LedgerSummary::Row> rows;
  Json adversaries = Json::array();
  for (const gnn::Adversary& one : noise.plan.adversaries) {
    rows.push_back({one, gnn::epsilon_of(std::vector{mechanism_of(noise.plan, one, 1)}, budget.delta)});
    adversaries.push_back(to_json(rows.back()));
  }
  const gnn::Charge& charge = own.spent->charge().value();
  answer.json["noise"] = {{"deviation", noise.deviation}, {"of_influence", noise.plan.noise}};
  answer.json["privacy"] = {{"epsilon", budget.epsilon},
                            {"delta", budget.delta},
                            {"adversaries", std::move(adversaries)},
                            {"ledger_before", charge.before.told()},
                            {"ledger_after", charge.after.told()}};
  answer.text += fmt::format(
      "  every count has noise of standard deviation {:.4g} rows\n"
      "privacy of one row, which an empty one replaces, at delta {:g}\n{}"
      "the ledger had spent epsilon {}, and {} with these sums\n",
      noise.deviation, budget.delta, adversary_table(rows, false), gnn::epsilon_text(charge.before.told()),
      gnn::epsilon_text(charge.after.told()));
  if (own.spent->in_new_ledger())
    answer.text += "the ledger is new: it has no budget, and earlier jobs on these rows are not in it\n";
}

Answer add_up(net::Mesh& mesh, OwnStatistics& own, std::int64_t colluding, int rank) {
  std::optional<gnn::AtomicFile> out;  // made before anything is revealed: the folder may not be writable
  about_own(kOwnStatistics, [&] { out.emplace(own.out); });
  std::optional<gnn::NoisySums> noisy;
  if (own.spent) {
    const int parties = mesh.world().parties;
    noisy.emplace(
        gnn::NoisySums{gnn::statistics_noise(own.rules, own.spent->budget(), parties, static_cast<int>(colluding)),
                       [&](const mpc::Nonce& session) {
                         about_own(kOwnLedger, [&] { own.spent->reserve(session, own.counted, noisy->noise.plan); });
                       },
                       [&] { about_own(kOwnLedger, [&] { own.spent->before_reveal(); }); }});
  }
  const gnn::CleaningStatistics all = sum_of(mesh, own, noisy ? &*noisy : nullptr);
  const std::string text = text_of(all);
  about_own(kOwnStatistics, [&] {
    out->write(std::as_bytes(std::span(text)));
    out->commit();
  });
  const std::int64_t revealed = gnn::revealed_numbers(own.rules, noisy.has_value());
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
  if (noisy) tell_noise(own, noisy->noise, answer);
  return answer;
}

// The number of parties against which the noise must hold, if they pool their views.
std::int64_t colluding_of(const Job& job) {
  return job.training.privacy ? job.training.privacy->colluding_of(job.parties) : job.parties - 1;
}

Errand errand_of(const StatisticsOrder& order) {
  Errand errand;
  errand.name = "data sum-statistics";
  errand.at_dealer = "the dealer has no statistics; the parties have finished, and sent it nothing";
  errand.of_dealer = [](net::Mesh& mesh) { mpc::agree_on_nonce(mesh); };
  errand.part_of = [&order](int rank, int) {
    const auto own = std::make_shared<OwnStatistics>();
    own->file = at_rank(order.statistics, rank);
    own->out = at_rank(order.out, rank);
    return Errand::Part{[&order, own, rank] { about_own(kOwnStatistics, [&] { read(*own, order, rank); }); },
                        [&order, own, rank](net::Mesh& mesh, Progress&) {
                          return add_up(mesh, *own, colluding_of(order.errand.job.job), rank);
                        },
                        [out = own->out] {
                          if (!out.empty()) gnn::remove_unfinished_of(out);
                        }};
  };
  return errand;
}

void expect_addable(const StatisticsOrder& order) {
  if (order.errand.job.job.parties < 2) throw ConfigError("one party has the whole table: there is nothing to add up");
}

}  // namespace

Answer run_sum_of_statistics(const StatisticsOrder& order, const net::GetVariable& get) {
  expect_addable(order);
  return run_errand(order.errand, errand_of(order), get);
}

Answer run_sum_of_all_statistics(const StatisticsOrder& order, const net::GetVariable& get) {
  expect_addable(order);
  if (order.out.find("{rank}") == std::string::npos || order.statistics.find("{rank}") == std::string::npos) {
    throw ConfigError("with --all, the names --statistics and --out need {rank}, the number of each party");
  }
  if (!order.ledger.empty() && order.ledger.find("{rank}") == std::string::npos) {
    throw ConfigError("with --all, the name --ledger needs {rank}: each party has a ledger of its own");
  }
  return run_errand_of_all(order.errand, errand_of(order), get);
}

}  // namespace tacit::launcher
