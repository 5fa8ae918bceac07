#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"

namespace tacit::launcher {

void add_serve(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<RankOptions>();
  options->predicts = true;
  CLI::App* verb = add_verb(
      tacit, choice, "serve",
      "answer requests for predictions with the model in the checkpoints, which stays secret, until a rank gets Ctrl-C "
      "or SIGTERM: start it at all ranks, as with train, and ask at the rank to which the job reveals predictions",
      "tacit serve sensors.toml --rank 0 --master node0:4711 --output runs/1 --set reveal.predictions=0\n"
      "  curl --unix-socket runs/1/rank0/ask.sock http://localhost/v1/predictions --data '{\"nodes\": [3, 5]}'",
      [options, &choice] { return run_rank(*options, choice, "serve", Goal::kServe, Start::kGoOn); });
  add_rank_options(*verb, *options);
  add_run_options(*verb, *options);
}

}  // namespace tacit::launcher
