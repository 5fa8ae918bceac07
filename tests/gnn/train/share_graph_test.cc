// From the owners' files to training: every distribution of a graph trains the same model.
#include "gnn/train/share_graph.h"

#include <gmock/gmock.h>

#include "bench/data/communities.h"
#include "bench/data/sensors.h"
#include "gnn/data/labels.h"
#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/train/target_scale.h"
#include "net/collectives/tell_all.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/train/sample_run.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

using Parts = std::vector<GraphData>;

struct Job {
  GraphData whole;
  DataPlan data;
  TrainingPlan training;
};

Job sensors_job(const char* features, const char* edges, const char* labels) {
  SensorsOptions options;
  options.stations = 120;
  Job job{make_sensors(options), {ownership_of(features, edges, labels)}, sensors_sample(GraphKind::kPublic).plan};
  job.training.epochs = 30;
  job.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTest}, {Metric::kMeanAbsoluteError, Part::kTest}};
  return job;
}

// In real units: the twin's errors times the deviation.
Events plain_run(const Job& job) {
  GraphData whole = job.whole;
  whole.targets = with_zeros_for_unknown(*whole.targets);
  Sample sample = sample_of(whole, job.training, GraphKind::kPublic);
  sample.x =
      job.data.features == FeatureScaling::kRowSum ? with_rows_of_sum_1(*job.whole.x) : cut_at(sample.x, job.data.cut);
  const Matrix telling = targets_of_scale(job.data, job.whole);
  sample.y = with_zeros_for_unknown(standardised(*job.whole.targets, telling));
  Events events = plain_run(sample);
  const double unit = deviations(telling)(0);
  for (EpochEvent::Reading& reading : events.back().readings) reading.value *= unit;
  return events;
}

// Every rank has its own part; the dealer has none.
Events party_run(const Job& job, int parties) {
  Parts parts;
  for (int rank = 0; rank < parties; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
  Events seen;
  net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
    const GraphData* own = mesh.world().is_party() ? &parts[static_cast<std::size_t>(mesh.rank())] : nullptr;
    const DataAgreement agreement = agree_on_data(mesh, job.data, job.training, own);
    const PartOf part = [&](int rank) { return rank == mesh.rank() ? own : nullptr; };
    const auto train = [&](mpc::Session& session) {
      Trainer trainer(session, job.training, share_graph(session, job.data, job.training, agreement, part));
      trainer.run([&](const EpochEvent& event) {
        if (mesh.rank() == 0) seen.push_back(event);
      });
    };
    if (own != nullptr) {
      mpc::PartySession session(mesh, net::AllReducePlan({{0, net::AllReduce::kDirect}}));
      train(session);
    } else {
      mpc::DealerSession session(mesh);
      train(session);
      session.flush();
    }
  });
  return seen;
}

void expect_alike(const Events& events, const Events& twin, double losses = 1e-2) {
  EXPECT_LE(largest_difference(events, twin), losses);
  ASSERT_EQ(events.back().readings.size(), twin.back().readings.size());
  for (std::size_t i = 0; i < events.back().readings.size(); ++i) {
    const double expected = twin.back().readings[i].value;
    const bool counts = twin.back().readings[i].what.metric == Metric::kAccuracy;  // one node of 50 may go either way
    EXPECT_NEAR(events.back().readings[i].value, expected, counts ? 0.06 : 0.02 * expected) << i;
  }
}

struct Held {
  const char* name;
  const char* features;
  const char* edges;
  const char* labels;
};

class SharedSensors : public testing::TestWithParam<Held> {};

INSTANTIATE_TEST_SUITE_P(Ownerships, SharedSensors,
                         testing::Values(Held{"WholeParts", "rank 0", "public", "rank 1"},
                                         Held{"Columns", "columns", "public", "rank 0"},
                                         Held{"PublicFeatures", "public", "rank 1", "rank 0"},
                                         Held{"EdgesByOwner", "columns", "edges", "rank 1"},
                                         Held{"PrivateGraph", "rank 1", "rank 0", "rank 1"}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(SharedSensors, TrainLikeTheTwinOnTheWhole) {
  const Job job = sensors_job(GetParam().features, GetParam().edges, GetParam().labels);
  const Events twin = plain_run(job);
  for (const int parties : {2, 3}) expect_alike(party_run(job, parties), twin);
}

// Whole at one owner, or by rows: no unit is too small or too large, and metrics keep their digits.
TEST(SharedTargets, OfEveryUnitTellTheErrorsOfTheTwinWithinHalfAPercent) {
  for (const char* labels : {"rank 1", "rows"}) {
    for (const auto& [parties, unit] : {std::pair{2, 1e-9}, {3, 1e-3}, {5, 1.0}, {2, 1e9}}) {
      Job job = sensors_job("rank 0", "public", labels);
      job.training.epochs = 3;
      *job.whole.targets *= unit;
      const Events twin = plain_run(job), events = party_run(job, parties);
      ASSERT_EQ(events.back().readings.size(), 2u);
      for (std::size_t i = 0; i < 2; ++i) {
        const double expected = twin.back().readings[i].value;
        EXPECT_NEAR(events.back().readings[i].value, expected, 0.005 * expected) << labels << ", times " << unit;
      }
    }
  }
}

// Owners of rows scale columns together that none could scale alone: nanometres beside bytes, and
// one column far from zero.
TEST(SharedFeatures, ByRowsOfEveryUnitTrainLikeTheTwin) {
  constexpr std::array kUnits{1e-9, 1e-4, 1.0, 1e5, 1e9};
  Job job = sensors_job("rows", "public", "rows");
  for (Eigen::Index c = 0; c < job.whole.x->cols(); ++c) {
    job.whole.x->col(c) *= kUnits.at(static_cast<std::size_t>(c) % kUnits.size());
  }
  job.whole.x->col(1).array() += 1000 * deviations(*job.whole.x)(1);
  const Events twin = plain_run(job);
  for (const int parties : kSlowdown > 1 ? std::vector{2, 3} : std::vector{2, 3, 5})
    expect_alike(party_run(job, parties), twin);
}

// Owners of columns divide rows together by sums that none knows. An owner of all columns divides them alone.
TEST(SharedFeatures, ByColumnsInRowsOfEveryUnitTrainLikeTheTwin) {
  for (const auto& [parties, features, unit] :
       {std::tuple{2, "columns", 1e-9}, {3, "columns", 1e9}, {5, "columns", 1e-3}, {3, "columns 0,8,0", 1e9}}) {
    Job job = sensors_job(features, "public", "rank 0");
    job.data.features = FeatureScaling::kRowSum;
    *job.whole.x *= unit;
    job.whole.x->row(7) /= 1000;
    job.whole.x->row(8).setZero();
    SCOPED_TRACE(unit);
    expect_alike(party_run(job, parties), plain_run(job));
  }
}

// By its owner, or on shares.
TEST(SharedFeatures, WithHeavyTailsAreCutAsTheTwinsAre) {
  for (const char* features : {"rank 1", "columns", "rows"}) {
    Job job = sensors_job(features, "public", "rank 0");
    for (Eigen::Index node = 0; node < job.whole.nodes; node += 37) (*job.whole.x)(node, node % 8) *= 300;
    const Events uncut = plain_run(job);
    job.data.cut = 1.5;
    job.training.ranges.features = 6;  // the range watch would find unclipped values
    const Events twin = plain_run(job);
    EXPECT_GT(largest_difference(uncut, twin), 0.03);
    for (const int parties : {2, 3}) expect_alike(party_run(job, parties), twin);
  }
}

// A constant target can be learnt: its deviation counts as 1, so no division by zero occurs.
TEST(SharedTargets, ThatAreConstantTellASmallErrorAsTheTwinDoes) {
  Job job = sensors_job("rank 0", "public", "rank 1");
  job.training.epochs = 3;
  job.whole.targets->setConstant(7.25);
  const Events twin = plain_run(job), events = party_run(job, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(twin.back().readings.at(i).value, 0);
    EXPECT_NEAR(events.back().readings.at(i).value, twin.back().readings[i].value, 0.01);
  }
}

// Nodes that no mask names, all of the last rank among them, have no target: they leave means and deviations alone.
TEST(SharedTargets, ThatAreUnknownOutsideTheMasksTrainLikeTheTwin) {
  for (const char* labels : {"rank 1", "public", "rows"}) {
    Job job = sensors_job("rank 0", "public", labels);
    const auto nodes = static_cast<std::size_t>(job.whole.nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
      if (node >= nodes - nodes / 5) {
        (*job.whole.train_mask)[node] = (*job.whole.test_mask)[node] = false;
        if (job.whole.val_mask) (*job.whole.val_mask)[node] = false;
      }
      const bool named = (*job.whole.train_mask)[node] || (*job.whole.test_mask)[node] ||
                         (job.whole.val_mask && (*job.whole.val_mask)[node]);
      if (!named) job.whole.targets->row(static_cast<Eigen::Index>(node)).setConstant(std::nan(""));
    }
    ASSERT_LE(std::ssize(labelled_rows(job.whole)), job.whole.nodes * 4 / 5);
    job.whole.targets->array() += 40 * deviations(labelled_targets(job.whole))(0);
    const Events twin = plain_run(job);
    // Owners of rows scale on shares, with an error of 2^-9.
    for (const int parties : kSlowdown > 1 ? std::vector{2, 3} : std::vector{2, 3, 5})
      expect_alike(party_run(job, parties), twin, 3e-2);
  }
}

TEST(SharedTargets, ThatAreUnknownBesideMasksOfAnotherRankAreRefused) {
  Job job = sensors_job("rank 0", "public", "rank 1");
  job.data.ownership.masks = ownership_of("rank 0", "public", "rank 1", "rank 0").masks;
  job.whole.val_mask.reset();
  for (std::size_t node = 0; node < static_cast<std::size_t>(job.whole.nodes); ++node) {
    if ((*job.whole.train_mask)[node] || (*job.whole.test_mask)[node]) continue;
    (*job.whole.targets)(static_cast<Eigen::Index>(node), 0) = std::nan("");
  }
  Parts parts;
  for (int rank = 0; rank < 2; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, 2));
  EXPECT_THAT(refusal([&] { agreement_of(job.data, job.training, parts); }),
              testing::HasSubstr("labels: in the file of rank 1, "));
  // Public labels are in the file with the masks.
  job.data.ownership.labels = ownership_of("rank 0", "public", "public", "rank 0").labels;
  const Events twin = plain_run(job);
  expect_alike(party_run(job, 2), twin);
}

TEST(SharedCommunities, WithRowsAtEveryPartyTrainLikeTheTwinOnTheWhole) {
  CommunitiesOptions options;
  options.nodes = 120;
  options.classes = 3;
  options.features = 40;
  options.words = 8;
  options.train_per_class = 12;
  options.val = 10;
  options.test = 50;
  Job job{make_communities(options), {ownership_of("rows", "public", "rows"), 3}, communities_sample().plan};
  job.training.model = ModelSpec::gcn(8, 3);
  job.training.epochs = 20;
  // Rows of features sum to 1, like the twin's.
  const Matrix x = job.whole.sparse_x->dense();
  job.whole.x = x.array().colwise() / x.rowwise().sum().array().max(1);
  job.whole.sparse_x.reset();
  job.data.features = FeatureScaling::kNone;
  for (std::size_t node = 0; node < job.whole.classes->size(); ++node) {  // unknown where no mask needs it
    const bool named = (*job.whole.train_mask)[node] || (*job.whole.val_mask)[node] || (*job.whole.test_mask)[node];
    if (!named) (*job.whole.classes)[node] = kUnknownClass;
  }
  ASSERT_LT(std::ssize(labelled_rows(job.whole)), job.whole.nodes);
  Sample sample = sample_of(job.whole, job.training, GraphKind::kPublic);
  sample.x = *job.whole.x;
  const Events twin = plain_run(sample);
  for (const int parties : {2, 3}) expect_alike(party_run(job, parties), twin);
}

// The dealer sizes its rows from the parties' announcements, and a faulty party could announce
// anything.
TEST(Agreement, OfTheDealerRefusesNumbersOfNodesThatCannotBe) {
  const Job job = sensors_job("rank 0", "public", "rank 1");
  net::run_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    if (!mesh.world().is_party()) {
      EXPECT_THROW(agree_on_data(mesh, job.data, job.training, nullptr), ProtocolError);
      return;
    }
    const GraphData part = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
    const auto tell = [&](const std::vector<std::int64_t>& own) { net::tell_numbers(mesh, own); };
    const AnnouncedNumbers held = numbers_of(announcement_of(part));
    tell({held.begin(), held.end()});
    tell({50, 10, 10});
    tell({-1});
    const std::size_t views = 2 * (job.training.model.layers.size() + 1);
    tell(std::vector<std::int64_t>(views, std::int64_t{1} << 40));
  });
}

TEST(Agreement, NamesTheRankWhosePublicGraphIsAnother) {
  const Job job = sensors_job("rank 0", "public", "rank 1");
  Parts parts;
  for (int rank = 0; rank < 2; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, 2));
  parts[1].train_mask->flip();
  net::run_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    const GraphData* own = mesh.world().is_party() ? &parts[static_cast<std::size_t>(mesh.rank())] : nullptr;
    try {
      agree_on_data(mesh, job.data, job.training, own);
      ADD_FAILURE() << "accepted at rank " << mesh.rank();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("rank")) << mesh.rank();
    }
  });
}

}  // namespace
}  // namespace tacit::gnn
