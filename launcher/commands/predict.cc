#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"

namespace tacit::launcher {

void add_predict(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<RankOptions>();
  options->predicts = true;
  CLI::App* verb = add_verb(
      tacit, choice, "predict",
      "predict with the model in the checkpoints, which stays secret, for the nodes of the training or for other data: "
      "start it at all ranks, as with train, and the named rank gets predictions.npz and predictions.csv",
      "tacit predict sensors.toml --rank 0 --master node0:4711 --output runs/1 --set reveal.predictions=0\n"
      "  tacit predict sensors.toml --rank 0 --output runs/1 --data tomorrow.npz --who asked.txt --set "
      "reveal.predictions=0",
      [options, &choice] { return run_rank(*options, choice, "predict", Goal::kPredict, Start::kGoOn); });
  add_rank_options(*verb, *options);
  add_run_options(*verb, *options);
  verb->add_option("--who", options->who,
                   "a file with the nodes to predict, one id on each line, or one number if the data have no ids; one "
                   "rank may name them for all");
}

}  // namespace tacit::launcher
