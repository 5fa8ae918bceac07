#include "launcher/commands/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <new>
#include <ostream>

#include "launcher/commands/tree.h"
#include "launcher/run/run_failed.h"
#include "launcher/settings/nearest_name.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr const char* kAbout = "Tacit trains graph networks on data that several organisations hold and none may show.";
constexpr const char* kExits =
    "Exit codes: 0 done, 2 yours to fix (a file, a key, the job), 3 network or a peer lost: start again,\n"
    "4 a rank deviates or runs something else, 70 a bug in Tacit, 130 and 143 interrupted (Ctrl-C, SIGTERM).";

// "tacit data check", as far as the words were understood.
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
  const std::string help = fmt::format("`{} --help` shows what is allowed", chosen_verb(app));
  if (verbs.empty()) throw ConfigError(fmt::format("{}; {}", net::printable(error.what(), 300), help));
  const std::string expected = fmt::format("expected one of {}; {}", fmt::join(verbs, ", "), help);
  const std::vector<std::string> unknown = last.remaining();
  if (unknown.empty())
    throw ConfigError(fmt::format("\"{}\" alone says not what to do; {}", chosen_verb(app), expected));
  const std::string_view near =
      nearest_name(unknown.front(), std::vector<std::string_view>(verbs.begin(), verbs.end()));
  throw ConfigError(fmt::format("there is no \"{}\"; {}{}", net::printable(unknown.front(), 80),
                                near.empty() ? "" : fmt::format("did you mean {}? ", near), expected));
}

int fail(const Choice& choice, int exit_code, const std::string& message, const std::string& detail, std::ostream& out,
         std::ostream& err) {
  err << "tacit: " << message << "\n";
  if (!detail.empty()) err << "tacit: " << detail << "\n";
  if (choice.json) {
    Json json = {{"error", message}, {"exit_code", exit_code}};
    if (!detail.empty()) json["detail"] = detail;
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  }
  return exit_code;
}

int fail(const Choice& choice, Exit exit, const std::string& message, const std::string& detail, std::ostream& out,
         std::ostream& err) {
  return fail(choice, static_cast<int>(exit), message, detail, out, err);
}

int tell(const Answer& answer, bool json, std::ostream& out) {
  if (json) {
    out << answer.json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    out << answer.text;
  }
  out.flush();
  if (!out) throw ConfigError("the answer could not be written to stdout: is the disk full, or the reader gone?");
  return static_cast<int>(answer.exit);
}

int run(const std::vector<std::string>& words, Choice& choice, std::ostream& out, std::ostream& err) {
  const std::unique_ptr<CLI::App> app = make_command_line(choice);
  try {
    app->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::Success& asked) {                                  // for help or the version
    app->exit(asked, out, err);
    return 0;
  } catch (const CLI::ParseError& error) {
    refuse(*app, error);
  }
  return tell(choice.run(), choice.json, out);
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
  add_doctor(*app, choice);
  add_launch(*app, choice);
  add_train(*app, choice);
  add_predict(*app, choice);
  add_export(*app, choice);
  add_report(*app, choice);
  add_shell(*app, choice);
  return app;
}

int run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
  Choice choice;
  try {
    return run(words, choice, out, err);
  } catch (const RunFailed& failed) {
    return fail(choice, failed.exit_code(), failed.what(), failed.detail(), out, err);
  } catch (const Error& error) {
    return fail(choice, error.exit(), error.what(), error.local_detail(), out, err);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(choice, Exit::kConfig, net::printable(error.what(), 500), "", out, err);
  } catch (const std::bad_alloc&) {
    return fail(choice, Exit::kConfig, "this machine has not enough memory for that", "", out, err);
  } catch (const std::exception& error) {
    return fail(choice, Exit::kBug, error.what(), "", out, err);
  }
}

}  // namespace tacit::launcher
