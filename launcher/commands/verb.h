// Verb — a subcommand of `tacit`. Each verb has a file here, with a function that adds the verb to
// the tree: its options, its help, an example, and the function to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>
#include <string>

#include "launcher/answer.h"
#include "net/error.h"

namespace tacit::launcher {

// The result of parsing: the chosen verb and the common options. The Choice must outlive the tree.
struct Choice {
  std::function<Answer()> run;
  bool json = false;
  std::ostream* out = nullptr;      // stdout, for output before `run` starts
  Json explained = Json::object();  // the same output with --json: becomes part of the answer or the error
};

// Adds a verb with --json and with the example at the end of its help. The caller adds options to
// the result; `run` owns their values.
CLI::App* add_verb(CLI::App& parent, Choice& choice, const std::string& name, const std::string& does,
                   const std::string& example, std::function<Answer()> run);

// Adds a group of verbs, with the example at the end of its help.
CLI::App* add_group(CLI::App& parent, const std::string& name, const std::string& does, const std::string& example);

// Accepts a finite number between `least` and `most`. CLI::Range would accept "nan".
CLI::Validator number_between(double least, double most);
CLI::Validator number_below(double least, double limit);  // at least `least` and below `limit`

// Reports an error in a flag's value before anything runs.
template <typename Parse>
CLI::Validator parsed_by(const Parse& parse) {
  return {[parse](const std::string& text) -> std::string {
            try {
              parse(text);
              return "";
            } catch (const ConfigError& error) {
              return error.what();
            }
          },
          ""};
}

void add_keys(CLI::App& tacit, Choice& choice);
void add_data(CLI::App& tacit, Choice& choice);
void add_data_make(CLI::App& data, Choice& choice);
void add_data_split(CLI::App& data, Choice& choice);
void add_data_clean(CLI::App& data, Choice& choice);
void add_data_merge_statistics(CLI::App& data, Choice& choice);
void add_data_sum_statistics(CLI::App& data, Choice& choice);
void add_data_check(CLI::App& data, Choice& choice);
void add_data_align(CLI::App& data, Choice& choice);
void add_data_show(CLI::App& data, Choice& choice);
void add_plan(CLI::App& tacit, Choice& choice);
void add_privacy(CLI::App& tacit, Choice& choice);
void add_attack(CLI::App& tacit, Choice& choice);
void add_doctor(CLI::App& tacit, Choice& choice);
void add_train(CLI::App& tacit, Choice& choice);
void add_predict(CLI::App& tacit, Choice& choice);
void add_serve(CLI::App& tacit, Choice& choice);
void add_export(CLI::App& tacit, Choice& choice);
void add_demo(CLI::App& tacit, Choice& choice);
void add_launch(CLI::App& tacit, Choice& choice);
void add_report(CLI::App& tacit, Choice& choice);
void add_bench(CLI::App& tacit, Choice& choice);
void add_settings(CLI::App& tacit, Choice& choice);
void add_shell(CLI::App& tacit, Choice& choice);  // hidden: completion and manual

}  // namespace tacit::launcher
