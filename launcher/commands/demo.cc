#include <fmt/format.h>
#include <unistd.h>

#include "bench/tables/demo_job.h"
#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"
#include "launcher/launch/local.h"
#include "launcher/launch/summaries.h"
#include "launcher/launch/told_report.h"
#include "launcher/launch/twin.h"
#include "launcher/processes/scratch_folder.h"
#include "launcher/settings/threads.h"
#include "net/private_folder.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

struct DemoOptions {
  int parties = 3;
  std::int64_t epochs = 200;
  std::string correlations = "dealer";
  int threads = 0;  // for each rank; 0: the rank chooses
  std::string keep, program;
};

fs::path kept_folder(const std::string& name) {
  std::error_code failed;
  const bool there = fs::exists(name, failed);
  if (there && !failed && !(fs::is_directory(name) && fs::is_empty(name, failed)) && !failed) {
    throw ConfigError(name + " exists already; --keep needs a new or empty folder");
  }
  if (!failed) failed = net::make_folder(name);
  if (failed || ::access(name.c_str(), W_OK | X_OK) != 0) {
    const std::error_code why = failed ? failed : std::error_code(errno, std::generic_category());
    throw ConfigError(fmt::format("{} cannot be written: {}; name another with --keep", name, why.message()));
  }
  return fs::absolute(name);
}

RanksEnded run_ranks(const LaunchedJob& launched, const fs::path& folder, const DemoOptions& options,
                     Console& console) {
  EndSignals signals;
  const net::ReservedPort port;
  LocalOptions local{.output = folder, .program = options.program.empty() ? own_program() : options.program};
  if (options.threads > 0) local.start = {kThreadsFlag, std::to_string(options.threads)};
  Ranks ranks = local_ranks(launched, local, port);
  ranks.shown = Shown::kFirst;
  return run(ranks, signals, console);
}

// Prints the revealed values beside the twin's.
void compare(const Json& summary, const std::vector<gnn::EpochEvent::Reading>& twin, Answer& answer) {
  answer.text += fmt::format("\n{:<12}{:>12}{:>15}\n", "ug/m3", "on shares", "on plain data");
  answer.json["readings"] = Json::array();
  for (const gnn::EpochEvent::Reading& plain : twin) {
    const std::string name = gnn::name_of(plain.what);
    for (const Json& reading : summary.at("readings")) {
      if (reading.at("what") != name) continue;
      const double value = reading.at("value").get<double>();
      answer.text += fmt::format("{:<12}{:>12.2f}{:>15.2f}\n", name, value, plain.value);
      answer.json["readings"].push_back({{"what", name}, {"value", value}, {"plain", plain.value}});
    }
  }
}

void tell_reveals(const Json& summary, Answer& answer) {
  answer.text += "\nrevealed:\n";
  for (const Json& reveal : summary.at("reveals")) {
    answer.text += fmt::format("  {} x {}, to {}\n", reveal.at("count").get<std::int64_t>(),
                               reveal.at("what").get<std::string>(), reveal.at("to").get<std::string>());
  }
  answer.json["reveals"] = summary.at("reveals");
}

Answer demonstrate(const DemoOptions& options) {
  std::optional<ScratchFolder> scratch;
  const fs::path folder = options.keep.empty() ? scratch.emplace("tacit-demo").path() : kept_folder(options.keep);
  Console console(STDERR_FILENO);
  const DemoJob demo = make_demo(folder, options.parties, options.epochs, options.correlations);
  console.say("Who holds what:");
  for (std::size_t rank = 0; rank < demo.shares.size(); ++rank) {
    console.say(fmt::format("  rank {}: {}", rank, demo.shares[rank]));
  }
  console.say(fmt::format("Training on shares: {} parties and {} dealer, over TLS", options.parties,
                          options.correlations == "dealer" ? "a" : "no"));
  console.flush(seconds(1));
  const LaunchedJob launched = load_launched(demo.file, {}, options.parties);
  const RanksEnded ended = run_ranks(launched, folder, options, console);
  if (ended.exit() != Exit::kOk) {
    const std::string sentence = ended.sentence("the same command starts from the first epoch");
    console.say("tacit: " + sentence);
    Answer answer{"", {{"error", sentence}, {"exit_code", static_cast<int>(ended.exit())}}, ended.exit()};
    if (!options.keep.empty()) tell_report(report_of_run(folder), answer, console);
    return answer;
  }
  console.say("The same training on plain data, all in one place");
  console.flush(seconds(1));
  const std::vector<Json> summaries = read_summaries(folder, launched.ranks());
  if (summaries[0].is_null()) throw BrokenInvariant("rank 0 ended without an error, but left no summary");
  Answer answer{table_of(summaries, options.parties)};
  answer.json["ranks"] = summaries;
  const RecordedTwin twin = record_twin(launched.job(), demo.whole, folder);
  if (!twin.problem.empty()) console.say("tacit: " + twin.problem);
  compare(summaries[0], twin.readings, answer);
  tell_reveals(summaries[0], answer);
  // The page lies beside the folder, since the folder will be removed.
  const fs::path page = options.keep.empty() ? fs::path(folder.string() + ".html") : fs::path();
  answer.text += "\n";
  tell_report(report_of_run(folder, page), answer, console);
  if (options.keep.empty()) return answer;
  answer.text +=
      fmt::format("kept in {}: the job, the parties' files, keys, and the output of each rank\n", options.keep);
  answer.json["folder"] = folder.string();
  return answer;
}

}  // namespace

void add_demo(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<DemoOptions>();
  CLI::App* verb =
      add_verb(tacit, choice, "demo", "parties, and a dealer if wanted, on this machine train a sensor network",
               "tacit demo\n  tacit demo --parties 5 --keep demo\n  tacit demo --parties 2 --correlations pairwise",
               [options] { return demonstrate(*options); });
  verb->add_option("--parties", options->parties, "number of parties that hold data")
      ->capture_default_str()
      ->check(CLI::Range(2, kMostDemoParties));
  verb->add_option("--epochs", options->epochs, "to train")->capture_default_str()->check(CLI::Range(1, 1'000'000));
  verb->add_option("--correlations", options->correlations,
                   "source of the correlated randomness: a dealer, or pairwise, without a dealer")
      ->capture_default_str()
      ->check(CLI::IsMember({"dealer", "pairwise", "pairwise-softspoken"}));
  add_threads_option(*verb, options->threads, "number of threads for each rank; otherwise the rank chooses");
  verb->add_option("--keep", options->keep, "keep all files in this folder; otherwise only the report is left");
  verb->add_option("--program", options->program, "the tacit command of the ranks; otherwise this one")->group("");
}

}  // namespace tacit::launcher
