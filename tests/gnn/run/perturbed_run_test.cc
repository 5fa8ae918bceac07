// Models that read edges once, in sums with noise: the sums are exact but for the stated noise, measured costs equal the plan's, and
// jobs that the noise does not cover are refused.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "gnn/arithmetic/sharing.h"
#include "gnn/data/labels.h"
#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/graph/rows.h"
#include "gnn/graph/secret_adjacency.h"
#include "gnn/plain/plain_perturbed.h"
#include "gnn/plan/plans.h"
#include "gnn/run/planned_prediction.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/training_run.h"
#include "gnn/train/agreed_privacy.h"
#include "gnn/train/perturbed_graph.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/job_refusal.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/gnn/run/whole_run.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

Job perturbed_job(const char* edges = "rank 0") {
  Job job = communities_job(ownership_of("columns", edges, "rank 0", "public"));
  PerturbedSpec& perturbed = job.training.model.perturbed.emplace();
  perturbed.hidden = 8;
  perturbed.encoder_epochs = 5;
  LayerSpec head, last;
  head.outputs = 8;
  last.outputs = job.data.classes;
  job.training.model.layers = {head, {LayerSpec::Kind::kRelu}, last};
  PrivacySettings& privacy = job.training.privacy.emplace();
  privacy.unit = PrivacyUnit::kEdge;
  privacy.noise = 1;
  privacy.delta = 1e-5;
  job.training.epochs = 4;
  job.training.model_to.reset();
  job.training.predictions_to.reset();
  return job;
}

// The columns that the model reads, revealed: probabilities, and their noisy sums.
Matrix read_columns(const Job& job, int parties) {
  Matrix seen;
  net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    const DataAgreement agreement = agree_on_data(mesh, job.data, job.training, own ? &*own : nullptr);
    const TrainingPrivacy privacy = privacy_of(job.training, agreement);
    const PartOf part = [&](int rank) { return rank == mesh.rank() && own ? &*own : nullptr; };
    const auto program = [&](mpc::Session& session) {
      PerturbedGraph made = perturbed_graph(session, job.data, job.training, agreement, part, privacy);
      Arithmetic arithmetic(session, job.training.top);
      const mpc::Public x = reveal(arithmetic, made.graph.x, mpc::To::everyone(), "columns");
      session.output([&](const mpc::PublicReader& read) {
        if (mesh.rank() == 0) seen = read(x);
      });
    };
    if (mesh.world().is_party()) {
      mpc::PartySession session(mesh, net::AllReducePlan::unmeasured(parties));
      program(session);
    } else {
      mpc::DealerSession session(mesh);
      program(session);
      session.flush();
    }
  });
  return seen;
}

struct StatedOfSums {
  int parties;
  NoiseFrom from;
  double variance;  // against everyone who sees revealed values
};

TEST(PerturbedGraph, HasExactSumsAndTheStatedNoise) {
  for (const StatedOfSums& stated : {StatedOfSums{1, NoiseFrom::kBoth, 1},
                                     {2, NoiseFrom::kDealt, 1},
                                     {2, NoiseFrom::kBoth, 1.5},
                                     {3, NoiseFrom::kParties, 3},
                                     {3, NoiseFrom::kBoth, 5.0 / 3}}) {
    Job job = perturbed_job(stated.parties == 3 ? "any" : "rank 0");
    job.training.privacy->noise_from = stated.from;
    double squares = 0, count = 0;
    for (int run = 0; run < 4; ++run) {
      const Matrix x = read_columns(job, stated.parties);
      const std::int64_t classes = job.data.classes, nodes = job.whole.nodes;
      ASSERT_EQ(mpc::shape_of(x), (Shape{nodes, 2 * classes}));
      const Matrix p = x.leftCols(classes), y = x.rightCols(classes);
      EXPECT_LE(p.rowwise().norm().maxCoeff(), 1.01);
      EXPECT_GE(p.minCoeff(), -0.01);
      EXPECT_NEAR((p.rowwise().sum().array() - 1).abs().maxCoeff(), 0, 0.01);
      const Matrix exact = dense_adjacency(*job.whole.edges, nodes) * p + p;
      const Matrix noise = y - exact;
      EXPECT_EQ((noise * 8192 - (noise * 8192).array().round().matrix()).cwiseAbs().maxCoeff(), 0);
      squares += noise.squaredNorm();
      count += static_cast<double>(noise.size());
    }
    // The noise is for rows a little longer than 1: at most 2 % for this many classes and parties.
    const double variance = 2 * stated.variance;
    EXPECT_GT(squares / count, (1 - 6 * std::sqrt(2 / count)) * variance);
    EXPECT_LT(squares / count, (1.04 + 6 * std::sqrt(2 / count)) * variance);
  }
}

// The columns of the twin, but for little noise: five epochs of the network without edges, and the sums of its probabilities.
TEST(PerturbedGraph, HasTheColumnsOfItsTwin) {
  Job job = perturbed_job();
  job.training.privacy->noise = 0.05;
  const std::int64_t classes = job.data.classes;
  const PlainData twin = plain_perturbed(
      job.training,
      {with_rows_of_sum_1(job.whole.sparse_x->dense()), one_hot(*job.whole.classes, classes), *job.whole.edges,
       rows_where(job.whole.train_mask), rows_where(job.whole.val_mask), rows_where(job.whole.test_mask), true});
  EXPECT_EQ(twin.edges.size(), 0);
  const Matrix seen = read_columns(job, 2);
  ASSERT_EQ(mpc::shape_of(seen), mpc::shape_of(twin.x));
  const Matrix off = seen - twin.x;
  EXPECT_LT(off.leftCols(classes).cwiseAbs().maxCoeff(), 0.02);
  // Noise of the variance 1.5·2·0.05² for outsiders, and the sums of the errors above.
  EXPECT_LT(off.rightCols(classes).squaredNorm() / static_cast<double>(off.rightCols(classes).size()), 0.015);
  EXPECT_GT((twin.x.rightCols(classes) - twin.x.leftCols(classes)).maxCoeff(), 1);  // neighbours count
}

// Without a few runs of a whole training, nobody would see that a step was left out.
TEST(PerturbedRun, CostsWhatThePlanSaysAndTellsBothAccuracies) {
  for (const auto& [parties, edges] : {std::pair<int, const char*>{2, "rank 1"}, {3, "edges"}, {3, "any"}}) {
    Job job = perturbed_job(edges);
    if (std::string(edges) == "edges") job.data.ownership = ownership_of("rows", "edges", "rows", "public");
    std::vector<RunResult> ranks(static_cast<std::size_t>(parties) + 1);
    std::vector<std::string> notes;
    net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&, n = parties](net::Mesh& mesh) {
      std::optional<GraphData> own;
      if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), n);
      RunOptions options;
      if (mesh.rank() == 0) options.on_note = [&](const std::string& note) { notes.push_back(note); };
      ranks[static_cast<std::size_t>(mesh.rank())] =
          run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
    });
    ASSERT_EQ(notes.size(), 1) << edges;
    EXPECT_THAT(notes[0], testing::HasSubstr("without edges: test accuracy"));
    std::vector<GraphData> parts;
    for (int rank = 0; rank < parties; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
    const DataAgreement agreement = agreement_of(job.data, job.training, parts);
    for (int rank = 0; rank < parties; ++rank) {
      const PlannedRun planned =
          planned_run(job.data, job.training, agreement, {parties, rank, net::AllReducePlan::unmeasured(parties)});
      const RunResult& measured = ranks[static_cast<std::size_t>(rank)];
      EXPECT_EQ(planned.total.cost, measured.cost) << edges << " " << rank;
      ASSERT_EQ(planned.reveals.size(), measured.reveals.size());
      for (std::size_t i = 0; i < planned.reveals.size(); ++i) {
        EXPECT_EQ(planned.reveals[i].reason, measured.reveals[i].reason);
        EXPECT_EQ(planned.reveals[i].count, measured.reveals[i].count);
      }
    }
    EXPECT_EQ(ranks[0].readings.size(), 1);
  }
}

TEST(PerturbedRun, IsCountedOnceWhateverTheNumberOfEpochs) {
  Job job = perturbed_job();
  job.training.privacy->noise.reset();
  job.training.privacy->epsilon = 4;
  std::optional<double> noise;
  for (const std::int64_t epochs : {1, 500}) {
    job.training.epochs = epochs;
    const TrainingPrivacy privacy = edge_privacy(job.training, 2);
    const PrivacyPlan account = privacy.account(epochs);
    EXPECT_EQ(account.unit, "edge");
    EXPECT_EQ(account.steps, 1);
    EXPECT_EQ(account.failure, 0);
    const Mechanism steps = mechanism_of(account, strongest(account, 1, 1e-5), 1);
    const double epsilon = epsilon_of(std::span(&steps, 1), 1e-5).told();
    EXPECT_LE(epsilon, 4);
    EXPECT_GT(epsilon, 3.9);
    EXPECT_EQ(privacy.noise, noise.value_or(privacy.noise));
    noise = privacy.noise;
  }
  EXPECT_NEAR(*noise, 1.08, 0.03);  // the analytic value for a single Gaussian is 1.081
}

// The first checkpoint is kept before anything that has the noise is revealed. A session that is killed afterwards and the next
// one read the same sums. Both therefore have the same losses, to rounding, and only one draw of the noise is ever seen.
TEST(PerturbedRun, GoesOnWithTheSameNoise) {
  for (const auto& [parties, edges] : {std::pair<int, const char*>{2, "rank 0"}, {3, "any"}}) {
    SCOPED_TRACE(parties);
    const int n = parties;
    Job job = perturbed_job(edges);
    job.training.privacy->noise = 4;
    job.training.epochs = 8;
    job.training.rate.initial = 0.02;  // at a large rate, sums with this much noise amplify every rounding
    job.training.loss_to = mpc::To::everyone();
    const Job without_checkpoints = job;
    job.training.checkpoint_every = 100;
    const SampleFolder folder;
    std::vector<std::string> notes;
    const auto options = [&](int rank) {
      RunOptions made;
      if (rank < n) made.checkpoints = folder.options(rank);
      if (rank < n) made.checkpoints->parties = n;
      if (rank == 0) made.on_note = [&](const std::string& note) { notes.push_back(note); };
      return made;
    };
    std::vector<double> killed;
    net::errors_of_ranks(net::mesh_kind("Memory").make(n, 1), [&](net::Mesh& mesh) {
      std::optional<GraphData> own;
      if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), n);
      RunOptions run = options(mesh.rank());
      run.on_epoch = [&](const EpochEvent& event) {
        if (mesh.rank() != 0) return;
        killed.push_back(event.loss.value());
        if (event.epoch == 6) throw std::runtime_error("killed");
      };
      run_training(mesh, job.data, job.training, own ? &*own : nullptr, run);
    });
    ASSERT_EQ(killed.size(), 6u);
    const Outcome resumed = outcome_of(job, n, options);
    ASSERT_EQ(resumed.losses.size(), 8u);
    EXPECT_EQ(resumed.losses[0], killed[0]) << "the loss of the checkpoint's state is rounded once";
    const auto difference_to = [&](const std::vector<double>& losses) {
      double most = 0;
      for (std::size_t i = 1; i < killed.size(); ++i) most = std::max(most, std::abs(losses[i] / killed[i] - 1));
      return most;
    };
    EXPECT_LT(difference_to(resumed.losses), 0.005)
        << testing::PrintToString(killed) << testing::PrintToString(resumed.losses);
    // Other noise has other losses. In one of thirty thousand runs, they are equal within this difference by chance.
    double unlike = 0;
    for (int tries = 0; tries < 3 && unlike <= 0.01; ++tries) {
      unlike = difference_to(outcome_of(without_checkpoints, n).losses);
    }
    EXPECT_GT(unlike, 0.01);
    for (const RunResult& rank : resumed.ranks) {
      EXPECT_THAT(rank.costs, testing::Each(testing::Field(&mpc::ProtocolCost::protocol, testing::Ne("noise"))));
    }
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0], notes[1]) << "the metric of the network without edges is kept";
    ASSERT_EQ(resumed.ranks[0].without_edges.size(), 1u);
  }
}

// The model of a checkpoint predicts with the sums of its training.
TEST(PerturbedRun, PredictsTheNodesOfItsTraining) {
  Job job = perturbed_job();
  job.training.checkpoint_every = 2;
  job.training.predictions_to = mpc::To::everyone();
  const SampleFolder folder;
  const auto options = [&](int rank) {
    RunOptions made;
    if (rank < 2) made.checkpoints = folder.options(rank);
    return made;
  };
  const Outcome trained = outcome_of(job, 2, options);
  const Matrix expected = *trained.ranks[1].predictions.values;
  ASSERT_EQ(expected.rows(), job.whole.nodes);
  const Outcome same = outcome_of(job, 2, options, predicted_by);
  EXPECT_EQ(*same.ranks[1].predictions.values, expected) << "the same shares";
  for (const auto& file : folder.files(".revealed")) std::filesystem::remove(file);
  const Outcome anew = outcome_of(job, 2, options, predicted_by);
  EXPECT_LE((anew.ranks[1].predictions.values->array() != expected.array()).count(), 4) << "but for ties";
  std::vector<GraphData> parts;
  for (int rank = 0; rank < 2; ++rank) {
    parts.push_back(part_of_prediction(part_of(job.whole, job.data.ownership, rank, 2), job.data.ownership, rank));
  }
  const PlannedPrediction planned =
      planned_prediction(job.data, job.training, prediction_agreement_of(job.data, job.training, parts, {}),
                         {2, 1, net::AllReducePlan::unmeasured(2)});
  EXPECT_EQ(planned.sharing.cost + planned.predicting.cost, anew.ranks[1].cost);
}

class PerturbedRefuses : public testing::TestWithParam<JobRefusal> {};

INSTANTIATE_TEST_SUITE_P(
    Settings, PerturbedRefuses,
    testing::Values(
        JobRefusal{"PublicEdges",
                   [](Job& job) { job.data.ownership = ownership_of("columns", "public", "rank 0", "public"); },
                   "data.edges"},
        JobRefusal{"Aggregate", [](Job& job) { job.training.mode = TrainingMode::kAggregate; }, "training.mode"},
        JobRefusal{"Gcn", [](Job& job) { job.training.model = ModelSpec::gcn(4, job.data.classes); }, "model"},
        JobRefusal{"Records", [](Job& job) { job.training.privacy->unit = PrivacyUnit::kRecord; }, "model.perturbed"},
        JobRefusal{"NoPrivacy", [](Job& job) { job.training.privacy.reset(); }, "model.perturbed"},
        JobRefusal{"Model", [](Job& job) { job.training.model_to = mpc::To::everyone(); }, "reveal.model"}),
    kNameOfRefusal);

TEST_P(PerturbedRefuses, WithTheSettingsPath) { expect_refused(perturbed_job(), GetParam()); }

}  // namespace
}  // namespace tacit::gnn
