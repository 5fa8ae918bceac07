// A training that learns links, for every ownership of the edges. Losses, metrics and predictions equal a twin's (plaintext
// reference), and measured costs equal the plan's.
#include <gmock/gmock.h>

#include "gnn/data/preparation.h"
#include "gnn/plain/plain_links.h"
#include "gnn/run/planned_run.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/trained_job.h"
#include "tests/gnn/run/whole_run.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

struct LinkTwin {
  std::vector<double> losses;
  std::vector<EpochEvent::Reading> readings;
  Matrix scores;  // of the pairs that are predicted
};

LinkTwin link_twin_of(const Job& job) {
  PlainTrainer trainer(job.training, plain_links(job.data, job.whole, standardised(dense(job.whole))));
  LinkTwin twin;
  trainer.run([&](const EpochEvent& event) {
    twin.losses.push_back(*event.loss);
    if (event.last) twin.readings = event.readings;
  });
  const GraphData apart = with_links_apart(job.whole, *job.data.links);
  const LayeredGraph graph = layered(job.training.model, adjacencies_of(job.training.model, *apart.edges, apart.nodes),
                                     all_rows(apart.pairs->size()), *apart.pairs);
  PlainModel model(job.training.model, dense(apart).cols(), graph, trainer.parameters(), 1);
  const Matrix x = standardised(dense(apart))(graph.rows.front(), Eigen::all);
  twin.scores = model.forward(x, Pass::kEvaluation).col(1);
  return twin;
}

struct LinkCase {
  const char* name;
  const char *features, *edges;
  std::int64_t batch = 0;
  bool is_sparse = false;
};

class LinkRun : public testing::TestWithParam<LinkCase> {};

INSTANTIATE_TEST_SUITE_P(Ownerships, LinkRun,
                         testing::Values(LinkCase{"PublicEdges", "columns", "public"},
                                         LinkCase{"PublicEdgesOfRowsInBatches", "rows", "public", 200},
                                         LinkCase{"EdgesOfOneRank", "columns", "rank 1"},
                                         LinkCase{"SparseEdgesOfOneRank", "columns", "rank 1", 0, true},
                                         LinkCase{"EdgesOfOwners", "rows", "edges"},
                                         LinkCase{"SparseEdgesOfOwners", "rows", "edges", 0, true},
                                         LinkCase{"EdgesOfOwnersInBatches", "rows", "edges", 300}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(LinkRun, RevealsWhatItsTwinComesTo) {
  Job job = links_job(ownership_of(GetParam().features, GetParam().edges, "none", "none"));
  if (GetParam().is_sparse) job = sparse(std::move(job));
  if (GetParam().batch > 0) {
    job.training.batch = GetParam().batch;
    job.training.epochs = 10;
    job.training.rate.initial = 0.02;
  }
  const LinkTwin twin = link_twin_of(job);
  EXPECT_LT(twin.losses.back(), 0.95 * twin.losses.front());
  for (const int parties : kSlowdown == 1 ? std::vector{2, 3} : std::vector{3}) {
    SCOPED_TRACE(parties);
    const Outcome outcome = outcome_of(job, parties);
    ASSERT_EQ(outcome.losses.size(), twin.losses.size());
    for (std::size_t i = 0; i < twin.losses.size(); ++i) {
      EXPECT_NEAR(outcome.losses[i], twin.losses[i], 1e-2 * twin.losses[i]) << "epoch " << i + 1;
    }
    const RunResult& first = outcome.ranks[0];
    ASSERT_EQ(first.readings.size(), 2);
    EXPECT_NEAR(first.readings[0].value, twin.readings[0].value, 0.02);
    EXPECT_NEAR(first.readings[1].value, twin.readings[1].value, 0.02 * twin.readings[1].value);
    const Predictions& told = outcome.ranks[1].predictions;
    ASSERT_EQ(told.probabilities->rows(), 5);
    for (Eigen::Index pair = 0; pair < 5; ++pair) {
      const double probability = 1 / (1 + std::exp(-twin.scores(pair, 0)));
      EXPECT_NEAR((*told.probabilities)(pair, 1), probability, 0.02) << pair;
      if (std::abs(twin.scores(pair, 0)) > 0.1) {
        EXPECT_EQ((*told.values)(pair, 0), twin.scores(pair, 0) > 0 ? 1 : 0);
      }
    }
    EXPECT_FALSE(first.predictions.any());
    std::vector<GraphData> parts;
    for (int rank = 0; rank < parties; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
    for (int rank = 0; rank < parties; ++rank) {
      const PlannedRun planned = planned_run(job.data, job.training, agreement_of(job.data, job.training, parts),
                                             {parties, rank, net::AllReducePlan::unmeasured(parties)});
      EXPECT_EQ(planned.total.cost, outcome.ranks[static_cast<std::size_t>(rank)].cost) << rank;
    }
  }
}

TEST(LinkPrediction, OfOtherDataIsThatOfTheModel) {
  for (const char* edges : {"public", "edges"}) {
    for (const int parties : kSlowdown == 1 ? std::vector{2, 3} : std::vector{2}) {
      SCOPED_TRACE(testing::Message() << edges << ", " << parties);
      Job job = links_job(ownership_of("rows", edges, "none", "none"));
      job.training.epochs = 15;
      const Trained trained(std::move(job), parties);
      const GraphData data = other_data(trained.job().whole);
      const Matrix scores = trained.plain_outputs(data).col(1);
      for (const std::optional<Rows>& asked : {std::optional<Rows>(), std::optional(Rows{0, 3})}) {
        const auto results = trained.predicted(data, asked);
        const Rows pairs = asked.value_or(all_rows(4));
        ASSERT_EQ(results[1].predictions.probabilities->rows(), std::ssize(pairs));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
          const double probability = 1 / (1 + std::exp(-scores(pairs[i])));
          EXPECT_NEAR((*results[1].predictions.probabilities)(static_cast<Eigen::Index>(i), 1), probability, 0.02);
        }
        for (int rank = 0; rank < parties; ++rank) {
          EXPECT_EQ(results[static_cast<std::size_t>(rank)].cost, trained.planned(data, asked, rank)) << rank;
        }
      }
    }
  }
}

std::vector<std::string> errors_with(const Job& job, const std::function<void(GraphData&)>& change_at_1) {
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    GraphData part;
    if (mesh.world().is_party()) part = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
    if (mesh.rank() == 1) change_at_1(part);
    run_training(mesh, job.data, job.training, mesh.world().is_party() ? &part : nullptr);
  });
  std::vector<std::string> texts;
  for (const std::exception_ptr& error : errors) texts.push_back(net::message_of(error));
  return texts;
}

void reverse(std::vector<std::int64_t>& from, std::vector<std::int64_t>& to) {
  std::reverse(from.begin(), from.end());
  std::reverse(to.begin(), to.end());
}

TEST(RefusedLinkRun, SaysWhatIsWrongAtEveryRank) {
  const Job secret = links_job(ownership_of("rows", "edges", "none", "none"));
  EXPECT_THAT(errors_with(secret, [](GraphData& part) { part.pairs.reset(); }),
              testing::Each(testing::HasSubstr("number of pairs to predict")));
  EXPECT_THAT(errors_with(secret, [](GraphData& part) { part.pairs->to[0] = 9; }),
              testing::Each(testing::HasSubstr("public data of rank 1 and rank 0 differ")));
  const Job known = links_job(ownership_of("rows", "public", "none", "none"));
  EXPECT_THAT(errors_with(known,
                          [](GraphData& part) {
                            part.edges->from.insert(part.edges->from.end(), {0, 119});
                            part.edges->to.insert(part.edges->to.end(), {119, 0});
                          }),
              testing::Each(testing::HasSubstr("the number of edges must be")));
  EXPECT_THAT(errors_with(known, [](GraphData& part) { reverse(part.edges->from, part.edges->to); }),
              testing::Each(testing::HasSubstr("public data of rank 1 and rank 0 differ")));
  Job nothing = known;
  nothing.whole.pairs.reset();
  EXPECT_THAT(errors_with(nothing, [](GraphData&) {}), testing::Each(testing::HasSubstr("the data name no pairs")));
  Job crowded = known;
  crowded.data.links->drawn = 100;
  EXPECT_THAT(errors_with(crowded, [](GraphData&) {}), testing::Each(testing::HasSubstr("data.links.drawn")));
}

}  // namespace
}  // namespace tacit::gnn
