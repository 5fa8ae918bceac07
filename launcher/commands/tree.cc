#include "launcher/commands/tree.h"

namespace tacit::launcher {

std::vector<const CLI::App*> visible_verbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> visible_options(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

}  // namespace tacit::launcher
