#include "launcher/commands/command_line.h"
#include "launcher/commands/tree.h"
#include "launcher/commands/verb.h"

namespace tacit::launcher {

void add_shell(CLI::App& tacit, Choice& choice) {
  CLI::App* completion =
      add_group(tacit, "completion", "what a shell needs to complete words", "source <(tacit completion bash)");
  completion->group("");
  add_verb(*completion, choice, "bash", "completion for bash", "source <(tacit completion bash)", [&tacit] {
    const std::string script = bash_completion(tacit);
    return Answer{script, {{"completion", script}}};
  });
  CLI::App* page = add_verb(tacit, choice, "manual", "the manual page", "tacit manual > tacit.1", [&tacit] {
    const std::string text = manual(tacit, TACIT_VERSION);
    return Answer{text, {{"manual", text}}};
  });
  page->group("");
}

}  // namespace tacit::launcher
