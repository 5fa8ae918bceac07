// The tacit command line: parses the words, runs a verb, and returns an exit code.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "launcher/commands/verb.h"

namespace tacit::launcher {

// Builds the tree of all verbs.
std::unique_ptr<CLI::App> make_command_line(Choice& choice);

// `words`: without the program's name. Reports every error as text and by the exit code, and throws
// nothing.
int run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace tacit::launcher
