#include <fmt/format.h>

#include "launcher/commands/manual.h"
#include "launcher/commands/verb.h"

namespace tacit::launcher {

namespace {

// Adds a case for each verb with the words that may follow the verb. `path` is " data check".
void add_cases(const CLI::App& app, const std::string& path, std::string& paths, std::string& words) {
  std::string all;
  for (const CLI::App* verb : visible_verbs(app)) all += verb->get_name() + " ";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) all += "--" + name + " ";
  }
  words += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, all);
  if (!path.empty()) paths += fmt::format("{}\"{}\"", paths.empty() ? "" : " | ", path);
  for (const CLI::App* verb : visible_verbs(app)) add_cases(*verb, path + " " + verb->get_name(), paths, words);
}

std::string bash_completion(const CLI::App& tacit) {
  std::string paths, words;
  add_cases(tacit, "", paths, words);
  return fmt::format(
      R"(# Completion of tacit for bash: source it, or put it into /usr/share/bash-completion/completions/tacit
_tacit() {{
  local path="" words="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${{COMP_WORDS[i]}}" in
      {}) path+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$path" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _tacit tacit
)",
      paths, words);
}

}  // namespace

void add_shell(CLI::App& tacit, Choice& choice) {
  CLI::App* completion =
      add_group(tacit, "completion", "code that completes words in a shell", "source <(tacit completion bash)");
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
