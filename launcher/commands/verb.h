// Verb — one of the things that the command can do. Each has a file here with a function that adds it to the tree of
// verbs: its options, its help, an example, and what it runs when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>
#include <string>

#include "launcher/answer.h"

namespace tacit::launcher {

// What the command line asks for. The tree must not outlive it.
struct Choice {
  std::function<Answer()> run;
  bool json = false;
  std::ostream* out = nullptr;      // stdout, for what is said before `run` does anything
  Json explained = Json::object();  // that, with --json: it goes into the answer, or the error
};

// A verb that runs something. Its help ends with the example; it takes --json. Options are added to what it returns,
// and kept by `run`.
CLI::App* add_verb(CLI::App& parent, Choice& choice, const std::string& name, const std::string& does,
                   const std::string& example, std::function<Answer()> run);

// A verb that has verbs under it. Its help ends with the example, too.
CLI::App* add_group(CLI::App& parent, const std::string& name, const std::string& does, const std::string& example);

// A finite number from the least to the most: what CLI::Range takes "nan" for.
CLI::Validator number_between(double least, double most);

void add_keys(CLI::App& tacit, Choice& choice);
void add_data(CLI::App& tacit, Choice& choice);
void add_data_make(CLI::App& data, Choice& choice);
void add_data_split(CLI::App& data, Choice& choice);
void add_data_check(CLI::App& data, Choice& choice);
void add_data_align(CLI::App& data, Choice& choice);
void add_data_show(CLI::App& data, Choice& choice);
void add_plan(CLI::App& tacit, Choice& choice);
void add_doctor(CLI::App& tacit, Choice& choice);
void add_train(CLI::App& tacit, Choice& choice);
void add_predict(CLI::App& tacit, Choice& choice);
void add_export(CLI::App& tacit, Choice& choice);
void add_demo(CLI::App& tacit, Choice& choice);
void add_launch(CLI::App& tacit, Choice& choice);
void add_report(CLI::App& tacit, Choice& choice);
void add_bench(CLI::App& tacit, Choice& choice);
void add_settings(CLI::App& tacit, Choice& choice);
void add_shell(CLI::App& tacit, Choice& choice);  // hidden: completion and manual

}  // namespace tacit::launcher
