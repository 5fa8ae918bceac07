// Traces of small trainings: the values of a session without shares, to the last bit, and the costs of parties, to the
// byte. A trace changes only on purpose.
//
// The expected traces are in training_traces.txt. After an intended change, the failing test names the file that
// replaces it. The diff of that file shows the effect on losses, rounds and bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "gnn/data/split.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_run.h"
#include "gnn/train/share_graph.h"
#include "mpc/sealed/storage_key.h"
#include "mpc/session/clear_session.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/mpc/costs_by_part.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

constexpr int kOwners = 2;

struct TracedCase {
  std::string name;
  Job job;
};

LayerSpec layer(LayerSpec::Kind kind, std::int64_t outputs = 0) { return {.kind = kind, .outputs = outputs}; }

// A few epochs with every reveal that a plan can have.
Job short_job(Job job, const std::function<void(Job&)>& change = {}) {
  job.training.epochs = 4;
  job.training.model_to = job.training.predictions_to = mpc::To::everyone();
  if (change) change(job);
  return job;
}

Job sensors(const char* features, const char* edges, const char* labels, const char* masks,
            const std::function<void(Job&)>& change = {}) {
  return short_job(sensors_job(ownership_of(features, edges, labels, masks)), change);
}

Job communities(const char* features, const char* edges, const char* labels, const char* masks,
                const std::function<void(Job&)>& change = {}) {
  return short_job(communities_job(ownership_of(features, edges, labels, masks)), change);
}

void add_dropout(Job& job, std::ptrdiff_t before, double rate) {
  auto& layers = job.training.model.layers;
  layers.insert(layers.begin() + before, {.kind = LayerSpec::Kind::kDropout, .rate = rate});
}

void take_two_targets(Job& job) {
  Matrix targets(job.whole.targets->rows(), 2);
  targets << *job.whole.targets, (job.whole.targets->array() / 3 + job.whole.x->col(0).array()).matrix();
  job.whole.targets = targets;
  job.training.model.layers.back().outputs = 2;
}

// Each optimiser, loss, layer, way to hold the data and branch that depends on a ring, at least once.
std::vector<TracedCase> cases() {
  const Revealed absolute{Metric::kMeanAbsoluteError, Part::kTrain, mpc::To::rank(1)};
  return {
      {"SgdWithMomentumAndDecay",
       sensors("columns", "public", "rank 0", "public",
               [](Job& job) { job.training.optimiser = SgdOptions{.momentum = 0.9, .weight_decay = 5e-4}; })},
      {"SgdWithASmallRateInASmallRing", sensors("columns", "public", "rank 0", "public",
                                                [](Job& job) {
                                                  job.training.top = {48, 12};
                                                  job.training.rate.initial = 0.0003;
                                                  std::get<SgdOptions>(job.training.optimiser).momentum = 0.5;
                                                  job.training.ranges.weights = 2;
                                                })},
      {"SgdUnwatched", sensors("rank 0", "public", "rank 1", "public", [](Job& job) { job.training.audit_every = 0; })},
      {"SgdWithoutALoss", sensors("rank 0", "public", "rank 1", "public",
                                  [](Job& job) {
                                    job.training.loss_to.reset();
                                    job.training.evaluate_every = 1;
                                  })},
      {"SgdClipped", sensors("columns", "public", "rank 0", "public",
                             [](Job& job) {
                               job.training.clip = 0.05;
                               job.training.batch = 20;
                             })},
      {"SgdWithHalvedGradients",
       sensors("columns", "public", "rank 0", "public", [](Job& job) { job.training.ranges.weight_gradients = 31; })},
      {"Adam", sensors("columns", "public", "rank 0", "public",
                       [](Job& job) {
                         job.training.optimiser = AdamOptions{.weight_decay = 0.01};
                         job.training.rate.initial = 0.01;
                       })},
      {"AdamWithASmallRateClipped", sensors("rank 0", "public", "rank 0", "public",
                                            [](Job& job) {
                                              job.training.optimiser = AdamOptions{.epsilon = 1};
                                              job.training.rate.initial = 0.0004;
                                              job.training.rate.warm_up = 2;
                                              job.training.clip = 0.2;
                                            })},
      {"AdamThatFollowsItsRoots", sensors("columns", "public", "rank 0", "public",
                                          [](Job& job) {
                                            job.training.optimiser = AdamOptions{.weight_decay = 0.01};
                                            job.training.rate.initial = 0.01;
                                            job.training.batch = 6;
                                          })},
      {"PrivateGraphOfManyOwners",
       sensors("columns", "edges", "rank 0", "public", [](Job& job) { add_dropout(job, 2, 0.5); })},
      {"PrivateGraphOfMeans",
       sensors(
           "rank 0", "rank 1", "rank 0", "rank 1",
           [](Job& job) {
             job.training.model.layers = {layer(Kind::kMeanAggregation, 6), layer(Kind::kRelu), layer(Kind::kDense, 1)};
             job.training.metrics.push_back({Metric::kMeanAbsoluteError, Part::kTest});
           })},
      {"Residual", sensors("columns", "public", "rank 1", "public",
                           [](Job& job) {
                             job.training.model.layers = {layer(Kind::kDense, 6), layer(Kind::kRelu),
                                                          layer(Kind::kGraphConvolution, 6), layer(Kind::kRelu),
                                                          layer(Kind::kMeanAggregation, 1)};
                             job.training.model.layers[2].residual = true;
                           })},
      {"JumpAndLayerNorm",
       sensors("columns", "public", "rank 1", "public",
               [](Job& job) {
                 job.training.model.layers = {
                     layer(Kind::kGraphConvolution, 8), layer(Kind::kLayerNorm), layer(Kind::kRelu),
                     layer(Kind::kMeanAggregation, 5),  layer(Kind::kRelu),      layer(Kind::kDense, 1)};
                 job.training.model.layers.back().jump = true;
               })},
      {"JumpOfMasksOnAPrivateGraph", sensors("columns", "rank 0", "rank 1", "public",
                                             [](Job& job) {
                                               job.training.model.layers = {layer(Kind::kGraphConvolution, 4),
                                                                            layer(Kind::kRelu),
                                                                            layer(Kind::kGraphConvolution, 3),
                                                                            layer(Kind::kRelu), layer(Kind::kDense, 1)};
                                               job.training.model.layers.back().jump = true;
                                             })},
      {"SumsWithEpsilonOnAPrivateGraph",
       sensors(
           "columns", "rank 0", "rank 1", "public",
           [](Job& job) {
             job.training.model.layers = {layer(Kind::kSumAggregation, 4), layer(Kind::kRelu), layer(Kind::kDense, 1)};
             job.training.model.layers.front().epsilon = 0.5;
             job.training.rate.initial = 0.01;
           })},
      {"RowsOfTargets", sensors("rows", "public", "rows", "public",
                                [&](Job& job) {
                                  take_two_targets(job);
                                  job.training.metrics.push_back(absolute);
                                })},
      {"RowsCut", sensors("rows", "public", "rank 0", "public",
                          [](Job& job) {
                            job.whole.x->row(3) *= 30;
                            job.data.cut = 1.5;
                          })},
      {"TwoTargetsOfOneOwner", sensors("rank 0", "public", "rank 1", "public", take_two_targets)},
      {"TargetsAsTheyAre", sensors("rank 0", "public", "rank 1", "public",
                                   [](Job& job) {
                                     job.data.standardise_targets = false;
                                     *job.whole.targets /= 1024;
                                   })},
      {"SecretMasksInBatches", sensors("rank 0", "public", "rank 1", "rank 0",
                                       [](Job& job) {
                                         job.training.batch = 20;
                                         job.training.evaluate_every = 2;
                                       })},
      {"RowsWithoutAGraph", short_job(rows_job(ownership_of("columns", "none", "rank 0", "public")))},
      {"ManyRows", short_job(many_rows_job(ownership_of("columns", "none", "rank 0", "public")),
                             [](Job& job) { job.training.epochs = 2; })},
      {"SnapshotsOfAPrivateGraph", short_job(snapshots_job(ownership_of("columns", "rank 1", "rank 0", "public")))},
      {"CrossEntropyWithDropout",
       communities("rows", "public", "rows", "public", [](Job& job) { add_dropout(job, 0, 0.5); })},
      {"CrossEntropyByAdam", communities("columns", "public", "rank 0", "public",
                                         [](Job& job) {
                                           job.training.optimiser = AdamOptions{};
                                           job.training.rate.initial = 0.02;
                                           job.training.evaluate_every = 2;
                                         })},
      {"CrossEntropyBehindSecretMasks", communities("columns", "rank 0", "rows", "rows")},
      {"CrossEntropyWithoutALossUnwatched", communities("rank 0", "public", "rank 1", "public",
                                                        [](Job& job) {
                                                          job.training.loss_to.reset();
                                                          job.training.audit_every = 0;
                                                          job.training.ranges.activations = 1023;
                                                        })},
      {"CrossEntropyOfRows", short_job(classes_of_rows_job(ownership_of("rows", "none", "rows", "public")))},
  };
}

std::vector<GraphData> parts_of(const Job& job) {
  std::vector<GraphData> parts;
  for (int rank = 0; rank < kOwners; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, kOwners));
  return parts;
}

std::string digest(const std::string& text) {
  const mpc::Digest all = mpc::digest_of(std::as_bytes(std::span(text)));
  std::string hex;
  for (std::size_t i = 0; i < 8; ++i) hex += fmt::format("{:02x}", static_cast<unsigned>(all[i]));
  return hex;
}

std::string digest(const Matrix& values) {
  std::string text = fmt::format("{} x {}", values.rows(), values.cols());
  for (const double value : values.reshaped<Eigen::RowMajor>()) text += fmt::format(" {:a}", value);
  return digest(text);
}

// Losses, metrics, the model and predictions of a session without shares.
std::string computed(const Job& job) {
  const std::vector<GraphData> parts = parts_of(job);
  mpc::ClearSession session(kOwners);
  const PartOf part = [&](int rank) { return rank < kOwners ? &parts[static_cast<std::size_t>(rank)] : nullptr; };
  Trainer trainer(session, job.training,
                  share_graph(session, job.data, job.training, agreement_of(job.data, job.training, parts), part));
  std::string text;
  trainer.run([&](const EpochEvent& event) {
    text += fmt::format("  epoch {}: {}", event.epoch, event.loss ? fmt::format("loss {:a}", *event.loss) : "no loss");
    for (const auto& reading : event.readings)
      text += fmt::format(", {} {:a}", name_of(reading.what.metric), reading.value);
    text += '\n';
  });
  for (const NamedMatrix& named : trainer.reveal_model()) {
    text += fmt::format("  {}: {}\n", named.name, digest(named.values));
  }
  const Predictions predictions = trainer.reveal_predictions();
  if (predictions.values) text += "  predictions: " + digest(*predictions.values) + '\n';
  EXPECT_TRUE(session.range_violations().empty());
  return text;
}

std::string text_of(const mpc::Cost& cost) {
  return fmt::format("{} rounds, {} B in {}, {} B dealt in {}", cost.rounds, cost.bytes, cost.messages,
                     cost.dealt_bytes, cost.dealt_messages);
}

std::string by_protocol(const mpc::Profile& profile) {
  std::string text;
  for (const auto& [part, costs] : mpc::costs_by_part(profile)) {
    text += part + "\n";
    for (const mpc::ProtocolCost& one : costs) {
      text += fmt::format("{} x {}: {}\n", one.protocol, one.calls, text_of(one.cost));
    }
  }
  return text;
}

// The planned costs of rank 0 and of the dealer. Every run is held to them (planned_run_test).
std::string planned_trace(const Job& job, int parties) {
  const std::vector<GraphData> parts = parts_of(job);
  const PlannedRun run = planned_run(job.data, job.training, agreement_of(job.data, job.training, parts),
                                     {parties, 0, *plan_of(Openings::kBySize, parties)});
  std::string text = fmt::format("  {} parties\n", parties);
  text +=
      fmt::format("    sharing: {}\n    the first epoch: {}\n    the second: {}\n    the last: {}\n    results: {}\n",
                  text_of(run.sharing.cost), text_of(run.epochs.front().cost), text_of(run.epochs[1].cost),
                  text_of(run.epochs.back().cost), text_of(run.results.cost));
  const TrainingProfile& profile = run.profile;
  text += fmt::format("    by part and protocol: {}\n",
                      digest(by_protocol(profile.before) + by_protocol(profile.first_epoch) +
                             by_protocol(profile.later_epochs) + by_protocol(profile.after)));
  return text;
}

std::map<std::string, std::string> traces_in(const std::string& path) {
  std::map<std::string, std::string> traces;
  std::ifstream file(path);
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(' ')) {
      name = line;
    } else {
      traces[name] += line + '\n';
    }
  }
  return traces;
}

TEST(TrainingTraces, AreThoseOfTheFile) {
  std::map<std::string, std::string> expected = traces_in(TRAINING_TRACES);
  std::ofstream found_file("training_traces.found.txt");
  for (const TracedCase& one : cases()) {
    SCOPED_TRACE(one.name);
    const std::string found = computed(one.job) + planned_trace(one.job, 2) + planned_trace(one.job, 3);
    found_file << one.name << '\n' << found << std::flush;
    EXPECT_EQ(found, expected[one.name]);
    expected.erase(one.name);
  }
  EXPECT_TRUE(expected.empty()) << expected.begin()->first << " is no case";
  if (HasFailure()) {
    ADD_FAILURE() << "if the change is meant, training_traces.found.txt of this folder replaces " << TRAINING_TRACES;
  }
}

}  // namespace
}  // namespace tacit::gnn
