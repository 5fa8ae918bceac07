#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"

namespace tacit::launcher {

namespace {

struct TrainOptions {
  RankOptions rank;
  bool resume = false, afresh = false;

  Start start() const { return resume ? Start::kResume : afresh ? Start::kAfresh : Start::kGoOn; }
};

}  // namespace

void add_train(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App* verb =
      add_verb(tacit, choice, "train", "train as one rank of a job, a party or the dealer",
               "RANK=1 WORLD_SIZE=4 MASTER_ADDR=node0 MASTER_PORT=4711 tacit train sensors.toml --key "
               "mine.key\n  tacit train sensors.toml --rank 0 --master 127.0.0.1:4711 --output runs/1",
               [options, &choice] { return run_rank(options->rank, choice, "train", Goal::kTrain, options->start()); });
  add_rank_options(*verb, options->rank);
  add_run_options(*verb, options->rank);
  CLI::Option* resume =
      verb->add_flag("--resume", options->resume,
                     "refuse to start without a checkpoint of all parties; by default one is used if it exists");
  verb->add_flag("--afresh", options->afresh,
                 "start from the first epoch, and move the contents of the output folder aside")
      ->excludes(resume);
}

}  // namespace tacit::launcher
