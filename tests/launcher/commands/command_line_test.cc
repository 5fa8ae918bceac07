#include "launcher/commands/command_line.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include "tests/launcher/commands/command.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Every verb that runs something, including hidden verbs, with its arguments.
void collect(const CLI::App& app, const std::vector<std::string>& words, std::vector<std::vector<std::string>>& all) {
  const std::vector<const CLI::App*> verbs = app.get_subcommands([](const CLI::App*) { return true; });
  if (verbs.empty()) all.push_back(words);
  for (const CLI::App* verb : verbs) {
    std::vector<std::string> longer = words;
    longer.push_back(verb->get_name());
    collect(*verb, longer, all);
  }
}

std::vector<std::vector<std::string>> all_verbs() {
  Choice choice;
  std::vector<std::vector<std::string>> all;
  collect(*make_command_line(choice), {}, all);
  return all;
}

TEST(CommandLine, EveryVerbHelpsWithAnExampleAndAnswersInJson) {
  const std::vector<std::vector<std::string>> verbs = all_verbs();
  EXPECT_GE(verbs.size(), 10u);
  for (std::vector<std::string> words : verbs) {
    words.push_back("--help");
    const Ran ran = tacit(words);
    EXPECT_EQ(ran.exit_code, 0) << ran;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("Example:\n  "), HasSubstr("--json"))) << words.front();
    EXPECT_EQ(ran.err, "");
  }
}

TEST(CommandLine, TellsItsVersionAndItsExitCodes) {
  EXPECT_THAT(tacit({"--version"}).out, testing::MatchesRegex("tacit [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  const Ran help = tacit({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("Exit codes: 0 done, 2 yours to fix"), testing::Not(HasSubstr("completion"))));
}

TEST(CommandLine, UnknownOrMissingWordsAreAnErrorThatNamesTheExpectedOnes) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{},
       "tacit: \"tacit\" needs a command; expected one of demo, keys, data, plan, privacy, attack, doctor, launch, "
       "train, "
       "predict, serve, export, report, settings, bench; `tacit --help`"},
      {{"kyes"},
       "tacit: there is no \"kyes\"; did you mean keys? expected one of demo, keys, data, plan, privacy, attack, "
       "doctor, "
       "launch, train, "
       "predict, serve, export, report, settings, bench; `tacit --help`"},
      {{"data", "cheque"},
       "there is no \"cheque\"; expected one of make, split, clean, merge-statistics, sum-statistics, check, align, "
       "show; `tacit data "
       "--help`"},
      {{"data", "show"}, "FILE is required; `tacit data show --help`"},
      {{"data", "show", "a", "--colums", "3"}, "--colums"},
      {{"data", "show", "a", "--columns", "-3"}, "--columns"},
      {{"data", "show", "a", "--columns", "x"}, "--columns"},
      {{"data", "make", "sensors", "--out", "a", "--seed", "-1"}, "--seed"},
      {{"data", "show", "a", "--set", "training.epochs=3"}, "--set requires --job"},
      {{"data", "split", "a", "--parties", "2", "--explain"}, "--explain requires --job"},
      {{"\x1b[2J"}, "\\x1b[2J"},
  };
  for (const auto& [words, says] : wrong) {
    const Ran ran = tacit(words);
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_THAT(ran.err, AllOf(StartsWith("tacit: "), HasSubstr(says), HasSubstr("--help` shows the options\n")));
    EXPECT_THAT(ran.err, testing::Not(HasSubstr("\x1b")));
    EXPECT_EQ(ran.out, "");
  }
}

// An empty word is often a variable of a script that is not set.
TEST(CommandLine, NoOptionTakesAnEmptyValue) {
  for (const std::vector<std::string>& words : all_verbs()) {
    Choice choice;
    const std::unique_ptr<CLI::App> app = make_command_line(choice);
    CLI::App* verb = app.get();
    for (const std::string& word : words) verb = verb->get_subcommand(word);
    for (const CLI::Option* option : verb->get_options()) {
      if (!option->nonpositional() || option->get_items_expected_max() == 0) continue;
      const std::string name = "--" + option->get_lnames().front();  // get_name() is empty for a hidden option
      std::vector<std::string> with = words;
      with.insert(with.end(), {name, ""});
      const Ran ran = tacit(with);
      EXPECT_EQ(ran.exit_code, 2) << ran;
      EXPECT_THAT(ran.err, HasSubstr("the value is empty; give one, or leave the option out"));
    }
  }
  EXPECT_THAT(tacit({"keys", "show", ""}).err, HasSubstr("FILE: the value is empty"));
}

TEST(CommandLine, AFailureIsJsonToo) {
  const Ran ran = tacit({"data", "show", "/nowhere.npz", "--json"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.json()["exit_code"], 2);
  EXPECT_THAT(ran.json()["error"].get<std::string>(), HasSubstr("/nowhere.npz"));
  EXPECT_THAT(ran.err, HasSubstr("/nowhere.npz"));
}

// A program reads stdout, even if the arguments were wrong.
TEST(CommandLine, AFailureIsJsonWhereverThatWasAskedFor) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--json", "plan", "x.toml"}, {"nosuch", "--json"}, {"data", "--json"}, {"plan", "--json", "--nosuch"}}) {
    const Ran ran = tacit(words);
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_EQ(ran.json()["exit_code"], 2) << ran;
    EXPECT_NE(ran.json()["error"], "");
  }
}

TEST(CommandLine, TheManualHasEveryVerbThatIsShown) {
  const Ran manual = tacit({"manual"});
  EXPECT_EQ(manual.exit_code, 0);
  EXPECT_THAT(manual.out, StartsWith(".TH TACIT 1"));
  for (const char* verb : {"tacit keys new", "tacit data make sensors", "tacit data check"}) {
    EXPECT_THAT(manual.out, HasSubstr(std::string(".SS ") + verb + "\n"));
  }
  EXPECT_THAT(manual.out, testing::Not(HasSubstr("completion bash")));
}

}  // namespace
}  // namespace tacit::launcher
