// A layer with one output behind a ReLU passes its gradient back by the product of its factors, which is never opened
// (mpc/functions/selected_outer.h). If the ring has no room for this product, the training computes the factors' product, opens
// it (Model::through_relu), and takes one round more. Both trainings have the losses of the twin.
#include <gmock/gmock.h>

#include "gnn/run/openings.h"
#include "gnn/run/planned_run.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/whole_run.h"

namespace tacit::gnn {
namespace {

struct Ring {
  const char* name;
  mpc::Format top;
  double weight_gradients;
  bool has_room;
};

class OneOutput : public testing::TestWithParam<Ring> {
 protected:
  static Job job(const ModelSpec& model, const char* edges) {
    Job job = sensors_job(ownership_of("columns", edges, "rank 0", "public"));
    if (edges == std::string_view("none")) job.whole.edges.reset();
    job.training.model = model;
    job.training.top = GetParam().top;
    job.training.ranges.weight_gradients = GetParam().weight_gradients;
    job.training.openings = Openings::kDirect;
    job.training.rate.initial = 0.02;
    job.training.epochs = 12;
    return job;
  }

  static mpc::Profile usual_epochs(const Job& job, int parties) {
    std::vector<GraphData> parts;
    for (int rank = 0; rank < parties; ++rank) {
      parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
    }
    const DataAgreement agreement = agreement_of(job.data, job.training, parts);
    return planned_run(job.data, job.training, agreement, {parties, 0, *plan_of(Openings::kDirect, parties)})
        .profile.later_epochs;
  }

  // The loss may have lifted products, too: its squares.
  static bool uses_product(const Job& job, int parties) {
    for (const mpc::Profile::Part& part : usual_epochs(job, parties).parts) {
      if (!part.name.ends_with("backward")) continue;
      for (const auto& protocol : part.protocols) {
        if (protocol.stated.protocol == "lifted product") return true;
      }
    }
    return false;
  }

  static std::int64_t rounds(const Job& job, int parties) { return usual_epochs(job, parties).cost().rounds; }

  static void expect_like_its_twin(const Job& job) {
    const Twin twin = twin_of(job);
    for (const int parties : {2, 3}) {
      SCOPED_TRACE(parties);
      const Outcome outcome = outcome_of(job, parties);
      ASSERT_EQ(outcome.losses.size(), twin.losses.size());
      for (std::size_t i = 0; i < twin.losses.size(); ++i) {
        EXPECT_NEAR(outcome.losses[i], twin.losses[i], 0.01 * twin.losses[i]) << "epoch " << i + 1;
      }
      const std::vector<NamedMatrix>& model = outcome.ranks[0].model;
      ASSERT_EQ(model.size(), twin.model.size());
      for (std::size_t i = 0; i < model.size(); ++i) {
        EXPECT_LE((model[i].values - twin.model[i].values).cwiseAbs().maxCoeff(), 0.03) << model[i].name;
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Rings, OneOutput,
                         testing::Values(Ring{"Of64Bits", {64, 13}, 511, true}, Ring{"Of48Bits", {48, 12}, 511, false},
                                         Ring{"Of56BitsWithFineNumbers", {56, 16}, 511, false},
                                         Ring{"Of64BitsWithAWideRange", {64, 16}, 1 << 20, false}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(OneOutput, OfADenseLayerTrainsAsItsTwin) {
  Job dense = job({{{.kind = LayerSpec::Kind::kDense, .outputs = 8},
                    {.kind = LayerSpec::Kind::kRelu},
                    {.kind = LayerSpec::Kind::kDense, .outputs = 1}}},
                  "none");
  EXPECT_EQ(uses_product(dense, 2), GetParam().has_room);
  expect_like_its_twin(dense);
  Job untold = dense;
  untold.training.loss_to.reset();
  EXPECT_EQ(uses_product(untold, 2), GetParam().has_room);
  EXPECT_EQ(rounds(dense, 2), rounds(untold, 2) + 1) << "the last loss alone is told in a round of its own";
}

TEST_P(OneOutput, OfAConvolutionTrainsAsItsTwin) {
  for (const char* edges : {"public", "rank 1"}) {
    const Job gcn = job(ModelSpec::gcn(8, 1), edges);
    EXPECT_EQ(uses_product(gcn, 2), GetParam().has_room);
    expect_like_its_twin(gcn);
  }
}

}  // namespace
}  // namespace tacit::gnn
