#include <fmt/format.h>
#include <unistd.h>

#include <iterator>
#include <sstream>

#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"
#include "launcher/demo/twin.h"
#include "launcher/job/check_job.h"
#include "launcher/launch/local.h"
#include "launcher/launch/remote.h"
#include "launcher/launch/summaries.h"
#include "launcher/launch/temporary_folder.h"
#include "launcher/launch/told_report.h"
#include "launcher/settings/seat.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

struct LaunchOptions {
  JobOptions job;
  int parties = 0;
  std::string output, program, hosts, ssh = "ssh";
  int port = kDefaultPort, restarts = 0;
  bool resume = false, afresh = false, plain = false;
};

Answer answer_of(const RanksEnded& ended, const fs::path& output, int parties, int ranks, Console& console) {
  Answer answer;
  answer.json["output"] = output.string();
  answer.json["restarts"] = ended.restarts;
  answer.exit = ended.exit();
  const std::vector<Json> summaries = read_summaries(output, ranks);
  answer.json["ranks"] = summaries;
  if (answer.exit == Exit::kOk) {
    answer.text = table_of(summaries, parties);
    return answer;
  }
  console.say("tacit: " + ended.sentence());
  answer.json["error"] = ended.sentence();
  answer.json["exit_code"] = static_cast<int>(answer.exit);
  return answer;
}

std::vector<std::string> start_of(const LaunchOptions& options) {
  if (options.resume) return {"--resume"};
  if (options.afresh) return {"--afresh"};
  return {};
}

RanksEnded launch_here(const LaunchedJob& launched, const fs::path& output, const LaunchOptions& options,
                       Console& console) {
  Keeper keeper;
  EndSignals signals;
  const net::ReservedPort port;
  return run(local_ranks(launched,
                         {.output = output,
                          .program = options.program.empty() ? own_program() : options.program,
                          .start = start_of(options),
                          .restarts = options.restarts},
                         port),
             keeper, signals, console);
}

RanksEnded launch_there(const LaunchedJob& launched, const fs::path& output, const LaunchOptions& options,
                        Console& console) {
  expect_named(launched.job(), launched.read.sources);
  RemoteOptions remote;
  remote.hosts = load_hosts(options.hosts, launched.ranks(), launched.job().name);
  std::istringstream words(options.ssh);
  remote.ssh = {std::istream_iterator<std::string>(words), {}};
  if (!options.program.empty()) remote.program = options.program;
  remote.port = options.port;
  remote.output = output;
  remote.staging = new_temporary_folder("tacit-launch");
  remote.start = start_of(options);
  remote.restarts = options.restarts;
  Keeper keeper(remote.staging);
  EndSignals signals;
  Remote ranks(launched, std::move(remote), keeper, signals, console);
  RanksEnded ended = run(ranks.prepare(), keeper, signals, console);
  if (ended.exit() == Exit::kOk) {
    ranks.collect();
  } else if (ended.outcome.interrupted == 0) {
    ranks.collect_what_there_is();
  }
  return ended;
}

Answer launch(const LaunchOptions& options) {
  const LaunchedJob launched = load_launched(options.job.file, options.job.overrides, options.parties);
  const fs::path output = fs::absolute(options.output.empty() ? launched.job().output : options.output);
  std::optional<gnn::GraphData> whole;
  if (options.plain) whole = whole_of(launched.job());  // what is wrong with a part is told before anything runs
  Console console(STDERR_FILENO);
  const RanksEnded ended = options.hosts.empty() ? launch_here(launched, output, options, console)
                                                 : launch_there(launched, output, options, console);
  if (options.plain && ended.exit() == Exit::kOk) {
    console.say("The same training on plain data, all in one place");
    console.flush(std::chrono::seconds(1));
    record_twin(plans_of(launched.job()), *whole, output);
  }
  Answer answer = answer_of(ended, output, static_cast<int>(launched.job().parties), launched.ranks(), console);
  tell_report(report_of_run(output), answer, console);
  explain(options.job, launched.read, answer);
  return answer;
}

}  // namespace

void add_launch(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<LaunchOptions>();
  CLI::App* verb = add_verb(
      tacit, choice, "launch", "start all ranks of a job, the dealer too, on this machine or over ssh",
      "tacit launch -n 3 sensors.toml --output runs/1\n  tacit launch sensors.toml --hosts hosts --output runs/1",
      [options] { return launch(*options); });
  verb->add_option("JOB", options->job.file, "the job file")->required();
  add_job_options(*verb, options->job);
  verb->add_option("-n,--parties", options->parties, "must be what the job says, or says it where the job does not")
      ->check(CLI::Range(1, 1023));
  verb->add_option("--output", options->output, "folder of the run, instead of the job's");
  verb->add_option("--restarts", options->restarts,
                   "when a rank or a link is lost, start all again from their checkpoints, so often at most")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  CLI::Option* resume = verb->add_flag("--resume", options->resume, "go on from a checkpoint, or not at all");
  verb->add_flag("--afresh", options->afresh, "from the first epoch; what the folder holds is moved aside")
      ->excludes(resume);
  verb->add_flag("--plain", options->plain,
                 "train on plain data, too, for the report: where the data of all parties lie on this machine");
  CLI::Option* hosts = verb->add_option(
      "--hosts", options->hosts, "over ssh: a file with \"user@host[:port] [folder]\" for each rank, dealer last");
  verb->add_option("--ssh", options->ssh, "with --hosts: the ssh command and its options")
      ->capture_default_str()
      ->needs(hosts);
  verb->add_option("--port", options->port, "with --hosts: where rank 0 listens")
      ->capture_default_str()
      ->check(CLI::Range(1, 65535))
      ->needs(hosts);
  verb->add_option("--program", options->program,
                   "the tacit command of the ranks; otherwise this one, or \"tacit\" there");
}

}  // namespace tacit::launcher
