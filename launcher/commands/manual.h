// The manual page, made of the tree of verbs and their options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tacit::launcher {

// The verbs of `app` that its help shows.
std::vector<const CLI::App*> visible_verbs(const CLI::App& app);

std::string manual(const CLI::App& tacit, const std::string& version);  // in troff's man macros

}  // namespace tacit::launcher
