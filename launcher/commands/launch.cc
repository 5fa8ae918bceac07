#include <fmt/format.h>
#include <unistd.h>

#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"
#include "launcher/launch/local.h"
#include "launcher/launch/summaries.h"

namespace tacit::launcher {

namespace {

struct LaunchOptions {
  JobOptions job;
  int parties = 0;
  std::string output, program;
  int restarts = 0;
  bool resume = false, afresh = false;
};

Answer answer_of(const RanksEnded& ended, const std::filesystem::path& output, int parties, int ranks,
                 Console& console) {
  Answer answer;
  answer.json["output"] = output.string();
  answer.json["restarts"] = ended.restarts;
  answer.exit = ended.exit();
  if (answer.exit == Exit::kOk) {
    const std::vector<Json> summaries = read_summaries(output, ranks);
    answer.text = table_of(summaries, parties);
    answer.json["ranks"] = summaries;
    return answer;
  }
  console.say("tacit: " + ended.sentence());
  answer.json["error"] = ended.sentence();
  answer.json["exit_code"] = static_cast<int>(answer.exit);
  return answer;
}

Answer launch(const LaunchOptions& options) {
  const LaunchedJob launched = load_launched(options.job.file, options.job.overrides, options.parties);
  LocalOptions local;
  local.output = std::filesystem::absolute(options.output.empty() ? launched.job().output : options.output);
  local.program = options.program.empty() ? own_program() : options.program;
  local.restarts = options.restarts;
  if (options.resume) local.again = {"--resume"};
  if (options.afresh) local.again = {"--afresh"};
  Keeper keeper;
  EndSignals signals;
  Console console(STDERR_FILENO);
  const net::ReservedPort port;
  const RanksEnded ended = run(local_ranks(launched, local, port), keeper, signals, console);
  Answer answer = answer_of(ended, local.output, static_cast<int>(launched.job().parties), launched.ranks(), console);
  explain(options.job, launched.read, answer);
  return answer;
}

}  // namespace

void add_launch(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<LaunchOptions>();
  CLI::App* verb = add_verb(tacit, choice, "launch", "start all ranks of a job, the dealer too, on this machine",
                            "tacit launch -n 3 sensors.toml --output runs/1", [options] { return launch(*options); });
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
  verb->add_option("--program", options->program, "the tacit command of the ranks; otherwise this one")->group("");
}

}  // namespace tacit::launcher
