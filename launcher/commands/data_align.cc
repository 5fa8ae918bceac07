#include <cstdlib>

#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"
#include "launcher/run/align_run.h"

namespace tacit::launcher {

namespace {

struct AlignOptions {
  RankOptions rank;
  std::string out;
  bool all = false, force = false;
};

Answer align(const AlignOptions& options, Choice& choice) {
  AlignOrder order;
  order.errand = errand_of(options.rank);
  order.out = options.out;
  order.force = options.force;
  const auto get = [](const char* name) { return std::getenv(name); };
  if (options.all) {
    explain(options.rank.job, order.errand.job, choice);
    return run_align_of_all(order, get);
  }
  explain_seat(options.rank, order.errand.job, choice);
  return run_align(order, get);
}

}  // namespace

void add_data_align(CLI::App& data, Choice& choice) {
  const auto options = std::make_shared<AlignOptions>();
  CLI::App* verb = add_verb(data, choice, "align",
                            "find the nodes that all parties have, by their ids, and put every part into one order",
                            "RANK=1 WORLD_SIZE=4 MASTER_ADDR=node0 MASTER_PORT=4711 tacit data align sensors.toml "
                            "--key mine.key\n  tacit data "
                            "align sensors.toml --all",
                            [options, &choice] { return align(*options, choice); });
  add_rank_options(*verb, options->rank);
  CLI::Option* all =
      verb->add_flag("--all", options->all, "align all parties in this process, as a trial; all files must be here");
  verb->add_option("--out", options->out, "the .npz file to write; otherwise FILE.aligned.npz beside the party's file")
      ->excludes(all);
  verb->add_flag(
      "--force", options->force,
      "replace --out, or an aligned file with other nodes or another order; checkpoints of trainings with it end");
}

}  // namespace tacit::launcher
