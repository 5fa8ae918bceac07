#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"

namespace tacit::launcher {

void add_predict(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<RankOptions>();
  CLI::App* verb =
      add_verb(tacit, choice, "predict",
               "predict with the model in the checkpoints, which stays secret: start it at all ranks, as "
               "with train, and the named rank gets predictions.npz",
               "tacit predict sensors.toml --rank 0 --master node0:4711 --output runs/1 --set "
               "reveal.predictions=0",
               [options, &choice] { return run_rank(*options, choice, "predict", Goal::kPredict, Start::kGoOn); });
  add_rank_options(*verb, *options);
  add_run_options(*verb, *options);
}

}  // namespace tacit::launcher
