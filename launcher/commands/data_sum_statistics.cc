#include <cstdlib>

#include "gnn/privacy/mechanism.h"
#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/new_file.h"
#include "launcher/run/statistics_run.h"

namespace tacit::launcher {

namespace {

struct SumOptions {
  RankOptions rank;
  std::string rules, statistics, out, ledger;
  std::optional<double> epsilon, delta;
  bool all = false, force = false;
};

Answer sum_statistics(const SumOptions& options, Choice& choice) {
  StatisticsOrder order{errand_of(options.rank), options.rules,   options.statistics, options.out,
                        options.force,           options.epsilon, options.delta,      options.ledger};
  const auto get = [](const char* name) { return std::getenv(name); };
  if (options.all) {
    explain(options.rank.job, order.errand.job, choice);
    return run_sum_of_all_statistics(order, get);
  }
  explain_seat(options.rank, order.errand.job, choice);
  return run_sum_of_statistics(order, get);
}

}  // namespace

void add_data_sum_statistics(CLI::App& data, Choice& choice) {
  const auto options = std::make_shared<SumOptions>();
  CLI::App* verb =
      add_verb(data, choice, "sum-statistics",
               "add up the statistics of all parties' tables, so that nobody sees another's counts",
               "tacit data clean own.csv --rules rules.toml --statistics own.counts\n  RANK=1 WORLD_SIZE=3 "
               "MASTER_ADDR=node0 MASTER_PORT=4711 tacit data sum-statistics census.toml --key mine.key "
               "--rules rules.toml --statistics own.counts --out all.counts\n  tacit data clean own.csv "
               "--rules rules.toml --statistics all.counts --out part.npz",
               [options, &choice] { return sum_statistics(*options, choice); });
  add_rank_options(*verb, options->rank);
  verb->add_option("--rules", options->rules, "the rules, the same at every party");
  verb->add_option("--statistics", options->statistics,
                   "the file of counts of this party's table, from `tacit data clean --statistics`");
  verb->add_option("--out", options->out, "the file to write, for `tacit data clean --statistics --out`");
  verb->add_option("--epsilon", options->epsilon,
                   "add noise to the sums, with this epsilon for one row against parties that pool their views")
      ->check(number_between(1e-4, 100));
  verb->add_option(
          "--delta", options->delta,
          "with --epsilon: less than one divided by the number of rows; by default the delta in the job's [privacy]")
      ->check(number_below(gnn::kLeastDelta, 1));
  verb->add_option(
      "--ledger", options->ledger,
      "with --epsilon: this party's privacy ledger, which takes the epsilon; by default the ledger in the job's "
      "[privacy]");
  verb->add_flag("--all", options->all,
                 "all parties in this process, as a trial; {rank} in the names of files is the number of a party");
  verb->add_flag("--force", options->force, kForceHelp);
}

}  // namespace tacit::launcher
