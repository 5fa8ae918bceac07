// The tacit command: from words to an exit code.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "launcher/commands/verb.h"

namespace tacit::launcher {

// The tree of all verbs.
std::unique_ptr<CLI::App> make_command_line(Choice& choice);

// `words` without the program's name. Everything is told in words and by the exit code; nothing is thrown.
int run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tacit::launcher
