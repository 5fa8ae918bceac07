#include "launcher/commands/verb.h"

namespace tacit::launcher {

CLI::App* add_verb(CLI::App& parent, Choice& choice, const std::string& name, const std::string& does,
                   const std::string& example, std::function<Answer()> run) {
  CLI::App* verb = parent.add_subcommand(name, does);
  verb->add_flag("--json", choice.json, "answer in JSON");
  verb->footer("Example:\n  " + example);
  verb->callback([&choice, run = std::move(run)] { choice.run = run; });
  return verb;
}

CLI::App* add_group(CLI::App& parent, const std::string& name, const std::string& does) {
  CLI::App* group = parent.add_subcommand(name, does);
  group->require_subcommand(1);
  return group;
}

}  // namespace tacit::launcher
