#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"
#include "launcher/job/job_agreement.h"
#include "launcher/launch/launch_ranks.h"
#include "launcher/launch/seeds.h"
#include "launcher/launch/side_by_side.h"
#include "launcher/launch/summaries.h"
#include "launcher/launch/told_report.h"
#include "launcher/launch/twin.h"
#include "launcher/plan/memory_need.h"
#include "launcher/run/output_folder.h"
#include "launcher/run/run_record.h"
#include "launcher/settings/cpus.h"
#include "launcher/settings/device_choice.h"
#include "launcher/settings/seat.h"
#include "launcher/settings/threads.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

struct LaunchOptions {
  JobOptions job;
  int parties = 0;
  std::string output, program, hosts, ssh = "ssh", emulated, cpus, device;
  int port = kDefaultPort, restarts = 0, threads = 0;
  bool resume = false, afresh = false, plain = false, memory_unchecked = false, predict = false, serve = false;
  std::string data;       // with predict or serve
  std::string who;        // with predict
  std::string run_there;  // with hosts: as LaunchOrder has it
  std::optional<std::string> seeds;

  bool trains() const { return !predict && !serve; }
};

// The advice to resume. After an interruption the state of other machines is unknown, so the advice
// is conditional.
std::string how_to_go_on(const RanksEnded& ended, const fs::path& output, const Job& job,
                         const LaunchOptions& options) {
  if (!options.trains()) return "";
  const std::string same = fmt::format("the same command{} goes on from the last checkpoint that all parties hold",
                                       options.afresh ? ", without --afresh," : "");
  if (!options.hosts.empty() && ended.outcome.interrupted != 0) {
    return job.training.checkpoint_every > 0 ? same + ", if there is one" : "";
  }
  return all_parties_have_checkpoints(output, static_cast<int>(job.parties)) ? same : "";
}

// The files of predictions, by the ranks to which they were revealed.
std::string predictions_in(const std::vector<Json>& summaries, const fs::path& output) {
  std::string text;
  for (std::size_t rank = 0; rank < summaries.size(); ++rank) {
    if (!summaries[rank].is_object() || !summaries[rank].contains(Json::json_pointer("/files/predictions"))) continue;
    text += fmt::format("predictions of rank {}: {}\n", rank,
                        OutputFolder(output, static_cast<int>(rank)).predictions().string());
  }
  return text;
}

Answer answer_of(const RanksEnded& ended, const fs::path& output, const LaunchedJob& launched,
                 const LaunchOptions& options, Console& console, Matrix matrix) {
  const int parties = static_cast<int>(launched.job().parties), ranks = launched.ranks();
  Answer answer;
  answer.json["output"] = output.string();
  answer.json["restarts"] = ended.restarts;
  answer.exit = options.serve && ended.all_well() ? Exit::kOk : ended.exit();  // a signal is how a service ends
  const std::vector<Json> summaries = read_summaries(output, ranks,
                                                     options.serve     ? kServiceSummary
                                                     : options.predict ? kPredictionSummary
                                                                       : kTrainingSummary);
  if (answer.exit == Exit::kOk) {
    answer.json["ranks"] = summaries;
    answer.text = table_of(summaries, parties, matrix);
    if (options.predict) answer.text += predictions_in(summaries, output);
    return answer;
  }
  const std::string sentence = ended.sentence(how_to_go_on(ended, output, launched.job(), options));
  console.say("tacit: " + sentence);
  answer.json["error"] = sentence;
  answer.json["exit_code"] = static_cast<int>(answer.exit);
  // A run that fails early leaves the summary of an earlier one that has finished.
  for (const Json& summary : summaries) {
    const bool earlier = summary.is_object() && summary.value("result", Json()) == "finished" &&
                         summary.value("launch", Json()) != Json(launched.id);
    answer.json["ranks"].push_back(earlier ? Json() : summary);
  }
  return answer;
}

std::vector<std::string> start_of(const LaunchOptions& options) {
  std::vector<std::string> start;
  if (options.resume) start.emplace_back("--resume");
  if (options.afresh) start.emplace_back("--afresh");
  if (options.memory_unchecked) start.emplace_back(kMemoryUncheckedFlag);
  if (options.threads > 0) start.insert(start.end(), {kThreadsFlag, std::to_string(options.threads)});
  if (!options.device.empty()) start.insert(start.end(), {kDeviceFlag, options.device});
  return start;
}

// On one machine, all parties' ledgers are side by side.
void expect_own_ledgers(const Job& job) {
  for (int rank = 1; rank < job.parties && !job.ledger.empty(); ++rank) {
    if (job.ledger.of(rank) != job.ledger.of(0)) continue;
    throw ConfigError(
        fmt::format("privacy.ledger names {} for ranks 0 and {}, and a ledger is of one party's data: put {{rank}} "
                    "into its name, as ledger{{rank}}",
                    job.ledger.of(0), rank));
  }
}

LaunchOrder order_of(const LaunchOptions& options, const fs::path& output) {
  return {.output = output,
          .program = options.program,
          .verb = options.serve     ? "serve"
                  : options.predict ? "predict"
                                    : "train",
          .who = options.who.empty() ? "" : fs::absolute(options.who).string(),
          .start = start_of(options),
          .emulated = options.emulated,
          .cpus = options.cpus.empty() ? std::vector<int>() : parse_cpus(options.cpus),
          .restarts = options.restarts,
          .hosts = options.hosts,
          .ssh = options.ssh,
          .port = options.port,
          .run_there = options.run_there};
}

Answer launch_once(const LaunchOptions& options, Choice& choice) {
  if (!options.data.empty() && options.trains()) {
    throw ConfigError("--data names other data to predict: say --predict or --serve as well, or data.files in the job");
  }
  std::vector<std::string> overrides = options.job.overrides;
  if (!options.data.empty()) overrides.push_back("predict.files=" + options.data);
  const LaunchedJob launched = load_launched(options.job.file, overrides, options.parties);
  explain(options.job, launched.read, choice);
  if (!options.emulated.empty()) parse_link(options.emulated);  // reports an error before anything runs
  if (!options.device.empty()) find_device_choice(options.device, [](const char* name) { return std::getenv(name); });
  if (options.hosts.empty()) expect_own_ledgers(launched.job());
  const fs::path output = fs::absolute(options.output.empty() ? launched.job().output : options.output);
  if (output.native().find('\n') != std::string::npos) {  // ranks get files in it as settings, which are lines
    throw ConfigError(
        fmt::format("{} has a line end: name another folder with --output", net::printable(output.string())));
  }
  std::optional<gnn::GraphData> whole;
  if (options.plain) whole = whole_of(launched.job());  // reports an error before anything runs
  Console console(STDERR_FILENO);
  LaunchOrder order = order_of(options, output);
  if (options.predict && order.who.empty()) order.who = launched.job().predict_nodes;
  const RanksEnded ended = launch_ranks(launched, order, console);
  const int parties = static_cast<int>(launched.job().parties);
  // The twin also runs after a training that diverged or left a range, to show whether shares are
  // the cause.
  const bool stopped_itself = ended.exit() == Exit::kConfig && ended.outcome.interrupted == 0;
  const bool twin_is_due =
      options.plain && (ended.exit() == Exit::kOk || (stopped_itself && has_trained(output, parties)));
  if (twin_is_due) {
    console.say("The same training on plain data, all in one place");
    console.flush(std::chrono::seconds(1));
    const RecordedTwin twin = record_twin(launched.job(), *whole, output);
    if (!twin.problem.empty()) console.say("tacit: " + twin.problem);
  }
  const SideBySide both = twin_is_due ? side_by_side(output, parties) : SideBySide{};
  Answer answer =
      answer_of(ended, output, launched, options, console, both.text.empty() ? Matrix::kFollows : Matrix::kElsewhere);
  if (twin_is_due) {
    if (!both.text.empty()) answer.text += "\n" + both.text;
    answer.json["readings"] = both.json;
  }
  if (options.trains()) tell_report(report_of_run(output), answer, console);
  return answer;
}

// The answer of a run of this job that has finished in the folder and keeps no checkpoints, so that a resume cannot tell its
// results again; nullopt: no such run is in the folder.
std::optional<Answer> finished_without_checkpoints(const LaunchOptions& one) {
  const LaunchedJob launched = load_launched(one.job.file, one.job.overrides, one.parties);
  const Job& job = launched.job();
  const int parties = static_cast<int>(job.parties);
  if (job.training.checkpoint_every > 0) return std::nullopt;
  const std::vector<Json> summaries = read_summaries(one.output, launched.ranks());
  for (int rank = 0; rank < launched.ranks(); ++rank) {
    const Json& summary = summaries[static_cast<std::size_t>(rank)];
    if (!summary.is_object() || summary.value("result", Json()) != "finished") return std::nullopt;
    try {
      if (!first_difference(load_job(OutputFolder(one.output, rank).job(), {}).job, job).empty()) return std::nullopt;
    } catch (const ConfigError&) {
      return std::nullopt;
    }
  }
  Answer answer;
  answer.text = table_of(summaries, parties);
  answer.json = {{"output", one.output}, {"restarts", 0}, {"ranks", summaries}};
  return answer;
}

// One run after the other, each in a folder of its own. The first failure ends them.
Answer launch_seeds(const LaunchOptions& options, Choice& choice) {
  const std::vector<std::int64_t> seeds = parse_seeds(*options.seeds);
  const LaunchedJob launched = load_launched(options.job.file, options.job.overrides, options.parties);
  const fs::path output = fs::absolute(options.output.empty() ? launched.job().output : options.output);
  FiguresOverSeeds figures;
  Answer answer;
  answer.json["output"] = output.string();
  answer.json["seeds"] = Json::array();
  for (const std::int64_t seed : seeds) {
    LaunchOptions one = options;
    one.job.overrides.push_back(fmt::format("training.seed={}", seed));
    one.output = folder_of_seed(output, seed).string();
    // A finished run goes on, too, if its epochs were raised.
    one.resume = !options.afresh && all_parties_have_checkpoints(one.output, static_cast<int>(launched.job().parties));
    one.run_there = folder_of_seed("run", seed).string();
    std::optional<Answer> finished = options.afresh ? std::nullopt : finished_without_checkpoints(one);
    Answer told = finished ? std::move(*finished) : launch_once(one, choice);
    answer.text += fmt::format("seed {}: {}\n{}\n", seed, one.output, told.text);
    told.json["seed"] = seed;
    answer.json["seeds"].push_back(std::move(told.json));
    answer.exit = told.exit;
    if (told.exit != Exit::kOk) {
      for (const char* key : {"error", "exit_code"}) answer.json[key] = answer.json["seeds"].back()[key];
      break;
    }
    figures.add(side_by_side(one.output, static_cast<int>(launched.job().parties)).json);
  }
  answer.text += figures.text();
  answer.json["figures"] = figures.json();
  return answer;
}

Answer launch(const LaunchOptions& options, Choice& choice) {
  return options.seeds ? launch_seeds(options, choice) : launch_once(options, choice);
}

}  // namespace

void add_launch(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<LaunchOptions>();
  CLI::App* verb = add_verb(
      tacit, choice, "launch", "start all ranks of a job, also the dealer if it has one, on this machine or over ssh",
      "tacit launch -n 3 sensors.toml --output runs/1\n  tacit launch sensors.toml --hosts hosts --output runs/1",
      [options, &choice] { return launch(*options, choice); });
  verb->add_option("JOB", options->job.file, "the job file")->required();
  add_job_options(*verb, options->job);
  verb->add_option("-n,--parties", options->parties, "number of parties; must equal the job's, if the job states one")
      ->check(CLI::Range(1, 1023));
  verb->add_option("--output", options->output, "folder of the run, instead of the job's");
  verb->add_option("--restarts", options->restarts,
                   "number of times to restart all ranks from their checkpoints after a rank or a link is lost")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  CLI::Option* resume = verb->add_flag("--resume", options->resume, "resume from a checkpoint, or refuse to start");
  CLI::Option* afresh = verb->add_flag("--afresh", options->afresh,
                                       "start from the first epoch, and move the contents of the folder aside");
  afresh->excludes(resume);
  add_threads_option(*verb, options->threads, "number of threads for each rank; otherwise the rank chooses");
  add_device_option(
      *verb, options->device,
      "the device on which each rank multiplies large matrices, as for tacit train; otherwise each rank chooses");
  verb->add_flag(kMemoryUncheckedFlag, options->memory_unchecked, kMemoryUncheckedHelp);
  CLI::Option* plain =
      verb->add_flag("--plain", options->plain,
                     "train on plain data, too, for the report; needs the data of all parties on this machine");
  CLI::Option* seeds = verb->add_option(
      "--seeds", options->seeds,
      "train once with each seed, as 1..5 or 3,7,11, in folders seed-N of the output, and show means and deviations; "
      "goes on where the last such command ended");
  seeds->excludes(resume);
  CLI::Option* predict = verb->add_flag("--predict", options->predict,
                                        "predict with the model of this folder's checkpoints, as tacit predict");
  predict->excludes(resume)->excludes(afresh)->excludes(plain)->excludes(seeds);
  verb->add_flag("--serve", options->serve,
                 "answer requests by the model of this folder's checkpoints, as tacit serve, until Ctrl-C")
      ->excludes(resume)
      ->excludes(afresh)
      ->excludes(plain)
      ->excludes(seeds)
      ->excludes(predict);
  verb->add_option("--data", options->data,
                   "with --predict or --serve: the files of other data to predict, with {rank} for a rank's number");
  verb->add_option("--who", options->who, "with --predict: a file with the nodes to predict, one on each line")
      ->needs(predict);
  CLI::Option* hosts =
      verb->add_option("--hosts", options->hosts,
                       "over ssh: a file with \"user@host[:port] [folder]\" for each rank; a dealer is the last");
  verb->add_option("--ssh", options->ssh, "with --hosts: the ssh command and its options")
      ->capture_default_str()
      ->needs(hosts);
  verb->add_option("--emulate", options->emulated, kEmulateHelp)->excludes(hosts);
  verb->add_option(kCpusFlag, options->cpus, "CPUs for the ranks, as 0-7: each rank stays on its own part")
      ->excludes(hosts);
  verb->add_option("--port", options->port, "with --hosts: rank 0's port on its host")
      ->capture_default_str()
      ->check(CLI::Range(1, 65535))
      ->needs(hosts);
  verb->add_option(
      "--program", options->program,
      "the program that runs each rank; otherwise this program, or with --hosts the command tacit of the host");
}

}  // namespace tacit::launcher
