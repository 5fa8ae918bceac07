#include <fmt/format.h>

#include <cstdlib>

#include "gnn/run/bounded_leakage.h"
#include "launcher/commands/rank_options.h"
#include "launcher/commands/verb.h"
#include "launcher/plan/forecast_answer.h"
#include "launcher/plan/prediction_forecast.h"
#include "launcher/plan/range_check.h"
#include "launcher/plan/service_forecast.h"
#include "launcher/settings/threads.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kCheckedEpochs = 20;  // with --sample

struct PlanOptions {
  JobOptions job;
  std::string graph, sample;
  std::int64_t checked_epochs = 0;
  StatedSizes sizes;
  std::vector<int> parties;  // to compare; empty: the command's choice
  double rtt = 0, bandwidth = 0;
  int threads = 0;
  bool predict = false, serve = false;
  std::string data;  // with predict or serve
  std::string who;   // with predict
};

PlannedPredictionData prediction_data_of(const PlanOptions& options, const Job& job) {
  if (options.sizes.nodes > 0) return prediction_data_as_stated(job, options.sizes);
  if (!options.graph.empty()) return prediction_data_by_graph(job, options.graph);
  return prediction_data_by_parts(job);
}

PlannedData data_of(const PlanOptions& options, const Job& job) {
  if (options.sizes.nodes > 0 && options.sizes.train == 0) {
    throw ConfigError("--nodes requires --train, the number of nodes that are trained on");
  }
  if (options.sizes.nodes > 0) return data_as_stated(job, options.sizes);
  if (!options.graph.empty()) return data_by_graph(job, options.graph);
  return data_by_parts(job);
}

std::vector<Link> links_of(const PlanOptions& options) {
  std::vector<Link> links{Link::lan(), Link::wan()};
  if (options.bandwidth > 0) links.push_back({"yours", options.rtt * 1e-3, options.bandwidth * 1e6 / 8});
  return links;
}

// Without a dealer, the work of a plan grows with the square of the number of parties, and so does the work of the parties.
std::vector<int> compared_parties(const Job& job) {
  return job.is_pairwise() ? std::vector{2, 3, 5, 10} : std::vector{2, 3, 5, 10, 30, 100};
}

Answer plan(const PlanOptions& options, Choice& choice) {
  JobOptions options_of_job = options.job;
  if (!options.data.empty()) options_of_job.overrides.push_back("predict.files=" + options.data);
  if (!options.who.empty()) options_of_job.overrides.push_back("predict.nodes=" + options.who);
  if (!options.data.empty() && !options.predict && !options.serve) {
    throw ConfigError("--data names other data to predict: say --predict or --serve as well, or data.files in the job");
  }
  ReadJob job = options_of_job.load();
  if (options.serve) job.job.predict_nodes.clear();  // a service is for all nodes
  explain(options_of_job, job, choice);
  constexpr int kRanksHere = 1;  // the links are between machines
  const auto get = [](const char* name) { return std::getenv(name); };
  const int threads = find_threads(options.threads, get, kRanksHere).value;
  if (options.predict) {
    return prediction_forecast(job.job, prediction_data_of(options, job.job), links_of(options), threads);
  }
  if (options.serve) {
    return service_forecast(job.job, prediction_data_of(options, job.job), links_of(options), threads);
  }
  const PlannedData data = data_of(options, job.job);
  const std::vector<int> parties = options.parties.empty() ? compared_parties(job.job) : options.parties;
  Forecast made = forecast(job.job, data.agreement, links_of(options), parties, threads);
  const mpc::Cost& all = made.busiest().total.cost;
  const std::string excess = gnn::excess_leakage(job.job.data, job.job.training, data.agreement,
                                                 static_cast<int>(job.job.parties), all.made_leakage);
  if (!excess.empty()) throw ConfigError(excess);
  made.other_adjacency = other_adjacency(job.job, data, all.bytes + all.dealt_bytes);
  Answer answer = answer_of(job.job, data, made);
  const std::int64_t epochs = options.checked_epochs > 0 ? options.checked_epochs : kCheckedEpochs;
  if (options.checked_epochs == 0 && options.sample.empty()) return answer;
  if (job.job.training.privacy) {
    throw ConfigError(
        "beside [privacy], ranges are proved for every record and not tried: leave out --check-ranges and --sample");
  }
  const std::string& whole = options.sample.empty() ? options.graph : options.sample;
  const RangeCheck check = check_ranges(job.job, all_parts(job.job, whole), epochs);
  answer.text += "\n" + check.text();
  answer.json["ranges"] = check.json();
  return answer;
}

}  // namespace

void add_plan(CLI::App& tacit, Choice& choice) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  constexpr int kMostParties = 1000;
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* verb = add_verb(tacit, choice, "plan", "state the costs and the reveals of a job before anything runs",
                            "tacit plan sensors.toml --rtt 12 --bandwidth 300\n  tacit plan sensors.toml --nodes 300 "
                            "--features 8 --train 180 --validation 60 --test 60",
                            [options, &choice] { return plan(*options, choice); });
  verb->add_option("JOB", options->job.file,
                   "the job; sizes come from its data.files, unless an option below states them")
      ->required();
  CLI::Option* graph = verb->add_option("--graph", options->graph, "the whole graph, not yet split");
  CLI::Option* nodes = verb->add_option("--nodes", options->sizes.nodes, "number of nodes");
  nodes->check(CLI::Range(std::int64_t{1}, kMost))->excludes(graph);
  const auto add_size = [&](const char* name, auto& size, std::int64_t least, const char* what) {
    return verb->add_option(name, size, what)->check(CLI::Range(least, kMost))->needs(nodes);
  };
  nodes->needs(add_size("--features", options->sizes.features, 1, "how many features each node has"));
  add_size("--graphs", options->sizes.graphs, 1, "number of graphs, of a model that pools");
  add_size("--pairs", options->sizes.pairs, 1, "number of pairs of nodes to predict, of a job that learns links");
  add_size("--edges", options->sizes.edges, 0, "number of edges, if they are private");
  add_size("--train", options->sizes.train, 1,
           "how many nodes, graphs or links are trained on; without --predict it must be given");
  add_size("--validation,--validate", options->sizes.validation, 0,
           "how many nodes, graphs or links are for validation");
  add_size("--test", options->sizes.test, 0, "how many nodes, graphs or links are for tests");
  add_size("--targets", options->sizes.targets, 1, "how many targets each node has");
  CLI::Option* predict = verb->add_flag("--predict", options->predict, "the cost of tacit predict, not of a training");
  verb->add_flag("--serve", options->serve, "the cost of tacit serve, until it is ready and of a request")
      ->excludes(predict);
  verb->add_option("--data", options->data,
                   "with --predict or --serve: the files of other data, with {rank} for a rank's number; otherwise the "
                   "training's")
      ->excludes(nodes)
      ->excludes(graph);
  verb->add_option("--who", options->who, "with --predict: a file with the nodes to predict, one on each line")
      ->needs(predict)
      ->excludes(nodes);
  CLI::Option* sample = verb->add_option("--sample", options->sample,
                                         "a graph like the job's: run some epochs on it in the clear, and list the "
                                         "declared ranges that they leave");
  CLI::Option* checked = verb->add_option(
      "--check-ranges", options->checked_epochs,
      "number of epochs in the clear, on --sample, on --graph, or on the job's own files if all are here");
  checked->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  checked->excludes(nodes);
  sample->check(CLI::ExistingFile);
  verb->add_option("--parties", options->parties, "numbers of parties to compare")
      ->delimiter(',')
      ->check(CLI::Range(2, kMostParties));
  CLI::Option* rtt = verb->add_option("--rtt", options->rtt, "your link: round trip, in ms");
  rtt->check(number_between(0, 1e5));
  CLI::Option* bandwidth =
      verb->add_option("--bandwidth", options->bandwidth, "your link: bandwidth of a rank, in Mbit/s");
  bandwidth->check(number_between(1e-3, 1e6))->needs(rtt);
  rtt->needs(bandwidth);
  add_threads_option(*verb, options->threads, "number of threads of a rank; otherwise the cores of this machine");
  add_job_options(*verb, options->job);
}

}  // namespace tacit::launcher
