#include "bench/tables/collectives.h"

#include <fmt/format.h>

#include <deque>
#include <filesystem>

#include "bench/tables/built_program.h"
#include "launcher/processes/scratch_folder.h"
#include "launcher/processes/watch.h"
#include "launcher/run/run_failed.h"
#include "launcher/text_file.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostOfProgram = 64 << 20;  // bytes of a program's JSON

struct Question {
  std::string table, about, program;
  std::vector<std::string> arguments;
  bool of_parties = false;  // takes --parties
};

std::vector<Question> questions() {
  return {
      {"transport",
       "How close to the wire two ranks get, and how long 64 bytes take there and back.",
       "transport_bench",
       {}},
      {"rounds", "The cost of a round when all ranks share the cores.", "rounds_bench", {}},
      {"all-reduce",
       "Openings are all-reduces: each algorithm by size and number of parties, over TLS.",
       "all_reduce_bench",
       {"--mesh", "tls"},
       true},
      {"all-reduce, slow link",
       "The same on a link of 7.9 ms and 100 Mbit/s, emulated.",
       "all_reduce_bench",
       {"--mesh", "memory", "--link", "7.9ms,100Mbit", "--sizes", "1KiB", "16KiB", "256KiB", "1MiB"},
       true},
  };
}

Measurements run(const Question& question, const CollectivesOptions& options, const fs::path& folder,
                 Console& console) {
  const fs::path file = folder / "measured.json";
  Command command;
  command.arguments = {built_program(options.programs, question.program).string()};
  command.arguments.insert(command.arguments.end(), question.arguments.begin(), question.arguments.end());
  command.arguments.insert(command.arguments.end(), {"--repeats", std::to_string(options.repeats)});
  if (question.of_parties) {
    command.arguments.push_back("--parties");
    for (const int n : options.parties) command.arguments.push_back(std::to_string(n));
  }
  command.arguments.insert(command.arguments.end(), {"--json", file.string()});
  EndSignals signals;
  std::deque<std::string> last;  // the last lines of the output
  Watch watch(signals, console, [&](int, std::string_view line) {
    constexpr std::size_t kMost = 20;
    last.emplace_back(line);
    if (last.size() > kMost) last.pop_front();
  });
  watch.start(command);
  const Watch::Outcome outcome = watch.run();
  if (outcome.interrupted != 0) throw RunFailed(128 + outcome.interrupted, "interrupted", "");
  if (!outcome.well()) {
    for (const std::string& line : last) console.say(line);
    throw RunFailed(static_cast<int>(Exit::kBug), question.program + " failed; the last lines of its output are above",
                    "");
  }
  return Measurements::from_json(
      Json::parse(read_text_file(file, kMostOfProgram, "a file of measurements"), nullptr, false), file);
}

}  // namespace

void expect_programs(const CollectivesOptions& options) {
  for (const Question& one : questions()) built_program(options.programs, one.program);
}

Measurements measure_collectives(const CollectivesOptions& options, const std::string& command, Console& console) {
  const ScratchFolder folder("tacit-bench");
  expect_programs(options);
  Measurements made("collectives", command);
  for (const Question& question : questions()) {
    console.say(fmt::format("collectives: {}", question.table));
    console.flush(std::chrono::seconds(1));
    const Measurements its = run(question, options, folder.path(), console);
    for (const Table& table : its.tables()) {
      made.table(question.table, question.about).rows = table.rows;
    }
    for (const std::string& note : its.notes()) made.note(fmt::format("{}: {}", question.table, note));
  }
  return made;
}

}  // namespace tacit::launcher
