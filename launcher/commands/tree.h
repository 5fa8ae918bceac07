// What completion and the manual see of the tree of verbs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tacit::launcher {

std::vector<const CLI::App*> visible_verbs(const CLI::App& app);
std::vector<const CLI::Option*> visible_options(const CLI::App& app);  // without arguments that have no name

std::string bash_completion(const CLI::App& tacit);
std::string manual(const CLI::App& tacit, const std::string& version);  // in troff's man macros

}  // namespace tacit::launcher
