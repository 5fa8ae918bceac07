#include "launcher/commands/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <new>
#include <ostream>

#include "launcher/commands/manual.h"
#include "launcher/job/load_job.h"
#include "launcher/run/run_failed.h"
#include "launcher/settings/nearest_name.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr const char* kAbout = "Tacit trains graph networks on data that several organisations hold and none may show.";
constexpr const char* kExits =
    "Exit codes: 0 done, 2 yours to fix (a file, a key, the job), 3 network or a peer lost: start again,\n"
    "4 a rank deviates or runs something else, 70 a bug in Tacit, 130 and 143 interrupted (Ctrl-C, SIGTERM).";

// Verbs that write their results to files before they answer. A lost answer is then no reason to
// run the verb again.
constexpr std::array<std::string_view, 5> kAnswerInFiles = {"tacit train", "tacit predict", "tacit serve",
                                                            "tacit launch", "tacit data align"};

// The verb's full name, "tacit data check", as far as the words were understood.
std::string chosen_verb(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app.get_name() : app.get_name() + " " + chosen_verb(*parsed.front());
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& verbs) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs) names.push_back(verb->get_name());
  return names;
}

const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.front());
}

[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& last = innermost(app);
  const std::vector<std::string> verbs = names_of(visible_verbs(last));
  const std::string help = fmt::format("`{} --help` shows the options", chosen_verb(app));
  if (verbs.empty()) throw ConfigError(fmt::format("{}; {}", net::printable(error.what(), 300), help));
  const std::string expected = fmt::format("expected one of {}; {}", fmt::join(verbs, ", "), help);
  const std::vector<std::string> unknown = last.remaining();
  if (unknown.empty()) throw ConfigError(fmt::format("\"{}\" needs a command; {}", chosen_verb(app), expected));
  const std::string_view near =
      nearest_name(unknown.front(), std::vector<std::string_view>(verbs.begin(), verbs.end()));
  throw ConfigError(fmt::format("there is no \"{}\"; {}{}", net::printable(unknown.front(), 80),
                                near.empty() ? "" : fmt::format("did you mean {}? ", near), expected));
}

std::string sentence_of(const std::filesystem::filesystem_error& error) {
  const std::string path = error.path2().empty() ? error.path1().string() : error.path2().string();
  return fmt::format("{}: {}; check that it exists and that you may use it, or name another", net::printable(path),
                     error.code().message());
}

// Writes the message in one piece: stderr is unbuffered, and the process may be killed between two
// writes.
void say_failure(const std::string& message, const std::string& detail, std::ostream& err) {
  err << fmt::format("tacit: {}\n{}", message, detail.empty() ? "" : fmt::format("tacit: {}\n", detail)) << std::flush;
}

int answer_failure(const Choice& choice, int exit_code, const std::string& message, const std::string& detail,
                   std::ostream& out) {
  if (choice.json) {
    Json json = choice.explained;
    json.update({{"error", message}, {"exit_code", exit_code}});
    if (!detail.empty()) json["detail"] = detail;
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  }
  return exit_code;
}

int fail(const Choice& choice, Exit exit, const std::string& message, const std::string& detail, std::ostream& out,
         std::ostream& err) {
  say_failure(message, detail, err);
  return answer_failure(choice, static_cast<int>(exit), message, detail, out);
}

// Lets signals through before the answer, since a reader of stdout may be missing.
int fail(const Choice& choice, RunFailed& failed, std::ostream& out, std::ostream& err) {
  say_failure(failed.what(), failed.detail(), err);
  failed.let_signals_through();
  const int exit_code = answer_failure(choice, failed.exit_code(), failed.what(), failed.detail(), out);
  out.flush();
  return exit_code;
}

// Writes the answer. A reader that has closed the pipe, such as `head`, is no failure of the verb.
// If the results are in files, a stdout that accepts no data is no failure either.
int tell(const Answer& answer, const Choice& choice, bool in_files, std::ostream& out, std::ostream& err) {
  errno = 0;
  if (choice.json) {
    Json json = answer.json;
    if (!choice.explained.empty()) json.update(choice.explained);
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    out << answer.text;
  }
  out.flush();
  if (!out && errno != EPIPE) {
    const std::string lost = "the answer could not be written to stdout: is the disk full?";
    if (!in_files) throw ConfigError(lost);
    say_failure(lost, "the verb did its work: the results are in its files", err);
  }
  return static_cast<int>(answer.exit);
}

// True for "name=x" and "training.epochs=9": a value for --set.
bool is_setting(const std::string& word) {
  const std::size_t end = word.find('=');
  return end != 0 && end != std::string::npos &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789.[]") == end;
}

// Repeats --set for each of several settings in a row, and leaves the next word, perhaps the job's
// file, alone.
std::vector<std::string> with_each_set(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  bool value = false, more = false;  // the last word was --set; the last word was a setting after --set
  for (const std::string& word : words) {
    if (more && is_setting(word)) {
      all.insert(all.end(), {kOverrideFlag, word});
      continue;
    }
    more = value;
    value = word == kOverrideFlag;
    all.push_back(word);
  }
  return all;
}

// A script passes "" where a variable of it is not set. CLI11 would take "" as the number 0, and a verb takes a path that
// is empty as an option that was not given.
void refuse_empty_values(CLI::App& app) {
  const auto refuse = [](const std::string& text) -> std::string {
    return text.empty() ? "the value is empty; give one, or leave the option out" : "";
  };
  for (CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    option->transform(CLI::Validator(refuse, ""));  // runs before the checks of the option
  }
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_values(*verb);
}

int run(const std::vector<std::string>& given, Choice& choice, std::ostream& out, std::ostream& err) {
  const std::unique_ptr<CLI::App> app = make_command_line(choice);
  const std::vector<std::string> words = with_each_set(given);
  try {
    app->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes words from the back
  } catch (const CLI::Success& asked) {                                  // help or the version was requested
    app->exit(asked, out, err);
    return 0;
  } catch (const CLI::ParseError& error) {
    refuse(*app, error);
  }
  const Answer answer = choice.run();
  out.clear();  // clears an earlier error of stdout
  const std::string verb = chosen_verb(*app);
  const bool in_files = std::find(kAnswerInFiles.begin(), kAnswerInFiles.end(), verb) != kAnswerInFiles.end();
  return tell(answer, choice, in_files, out, err);
}

}  // namespace

std::unique_ptr<CLI::App> make_command_line(Choice& choice) {
  auto app = std::make_unique<CLI::App>(kAbout, "tacit");
  app->set_version_flag("--version", "tacit " TACIT_VERSION);
  app->require_subcommand(1);
  app->footer(std::string("Example:\n  tacit data make sensors --out whole.npz\n\n") + kExits);
  add_demo(*app, choice);
  add_keys(*app, choice);
  add_data(*app, choice);
  add_plan(*app, choice);
  add_privacy(*app, choice);
  add_attack(*app, choice);
  add_doctor(*app, choice);
  add_launch(*app, choice);
  add_train(*app, choice);
  add_predict(*app, choice);
  add_serve(*app, choice);
  add_export(*app, choice);
  add_report(*app, choice);
  add_settings(*app, choice);
  add_bench(*app, choice);
  add_shell(*app, choice);
  refuse_empty_values(*app);
  return app;
}

int run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
  Choice choice;
  choice.out = &out;
  // Set even if the words cannot be parsed, so that the failure is JSON.
  choice.json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    return run(words, choice, out, err);
  } catch (RunFailed& failed) {
    return fail(choice, failed, out, err);
  } catch (const Error& error) {
    return fail(choice, error.exit(), error.what(), error.local_detail(), out, err);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(choice, Exit::kConfig, sentence_of(error), "", out, err);
  } catch (const std::bad_alloc&) {
    return fail(choice, Exit::kConfig, "this machine has too little memory for this command", "", out, err);
  } catch (const std::exception& error) {
    return fail(choice, Exit::kBug, error.what(), "", out, err);
  }
}

}  // namespace tacit::launcher
