// Attacks find the records that a model memorised, and find nothing in untrained and in private models.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "gnn/attack/inversion.h"
#include "gnn/attack/link_stealing.h"
#include "gnn/attack/membership.h"
#include "gnn/data/preparation.h"
#include "net/error.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

const std::int64_t kAttacked = kSlowdown > 1 ? 160 : 400;  // records to train on; twice as many others

// Binary features; random labels of `classes`, so that only memory can fit them. Or targets, for 0 classes.
PlainData random_records(std::int64_t classes) {
  std::mt19937_64 random(5);
  std::bernoulli_distribution bit(0.5);
  PlainData data;
  data.x = Matrix(3 * kAttacked, 16);
  for (Eigen::Index i = 0; i < data.x.size(); ++i) data.x.data()[i] = bit(random) ? 1 : 0;
  std::vector<std::int64_t> of(static_cast<std::size_t>(data.x.rows()));
  for (std::int64_t& one : of)
    one = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(std::max<std::int64_t>(classes, 2)));
  data.y = one_hot(of, std::max<std::int64_t>(classes, 2));
  for (std::int64_t row = 0; row < data.x.rows(); ++row) {
    (row % 3 == 0 ? data.train : row % 3 == 1 ? data.validation : data.test).push_back(row);
  }
  return data;
}

TrainingPlan overfitting(std::int64_t classes) {
  TrainingPlan plan;
  LayerSpec hidden, last;
  hidden.outputs = 60;
  last.outputs = std::max<std::int64_t>(classes, 2);
  plan.model.layers = {hidden, {LayerSpec::Kind::kRelu}, last};
  plan.objective = classes > 0 ? Objective::kCrossEntropy : Objective::kSquaredError;
  plan.optimiser = AdamOptions{};
  plan.rate.initial = 0.03;
  plan.epochs = 250;
  plan.batch = 100;
  return plan;
}

TEST(Membership, IsFoundInAModelThatMemorises) {
  for (const std::int64_t classes : {3, 0}) {
    const Rehearsal rehearsal(overfitting(classes), random_records(classes), std::nullopt);
    const std::vector<NamedMatrix> model = rehearsal.trained(rehearsal.data().train, 77);
    const MembershipAttack attack = attack_membership(rehearsal, model, 6, 1);
    EXPECT_GT(attack.by_fit.area, 0.8) << classes;
    ASSERT_TRUE(attack.by_shadows);
    EXPECT_GT(attack.by_shadows->area, 0.7) << classes;
    EXPECT_NEAR(attack.untrained.area, 0.5, 4 * attack.untrained.error);
    EXPECT_EQ(attack.members, kAttacked);
    EXPECT_EQ(attack.others, 2 * kAttacked);
    if (classes > 0) {
      EXPECT_GT(attack.of_members, 0.9);
      EXPECT_LT(attack.of_others, 0.45);
      EXPECT_NEAR(attack.constant_of_others, 1.0 / 3, 0.08);
    } else {
      EXPECT_LT(attack.of_members, 0.7 * attack.of_others);
      EXPECT_NEAR(attack.constant_of_others, 0.5, 0.02);
    }
  }
}

TEST(Membership, IsNotFoundInAPrivateModelOrAnUntrainedOne) {
  TrainingPlan plan = overfitting(3);
  plan.optimiser = SgdOptions{};
  plan.rate.initial = 0.5;
  plan.epochs = 20;
  plan.privacy.emplace();
  plan.privacy->clip = 1;
  plan.privacy->delta = 1e-4;
  const Rehearsal rehearsal(plan, random_records(3), 3.0);
  for (const std::vector<NamedMatrix>& model :
       {rehearsal.trained(rehearsal.data().train, 77), rehearsal.untrained(78)}) {
    const MembershipAttack attack = attack_membership(rehearsal, model, 0, 1);
    EXPECT_NEAR(attack.by_fit.area, 0.5, 4.5 * attack.by_fit.error);
    EXPECT_FALSE(attack.by_shadows);
  }
}

// The model remembers labels that follow only from a record's own bits.
TEST(Inversion, FindsBitsOfMembersAlone) {
  const Rehearsal rehearsal(overfitting(3), random_records(3), std::nullopt);
  const std::vector<NamedMatrix> model = rehearsal.trained(rehearsal.data().train, 77);
  const std::vector<InvertedColumn> columns = attack_inversion(rehearsal, model, 1);
  ASSERT_EQ(columns.size(), 16);
  double gained = 0, others = 0, untrained = 0;
  for (const InvertedColumn& one : columns) {
    gained += one.gained() / 16;
    others += one.others / 16;
    untrained += one.untrained / 16;
    EXPECT_EQ(one.values, 2);
    EXPECT_GE(one.commonest, 0.5);
  }
  EXPECT_GT(gained, 0.1);
  EXPECT_NEAR(others, 0.5, 0.03);
  EXPECT_NEAR(untrained, 0.5, 0.03);
}

TEST(Inversion, SkipsColumnsOfOneOrManyValuesAndRefusesWhatItCannotDo) {
  PlainData data = random_records(3);
  data.x.col(2).setConstant(1);
  for (Eigen::Index row = 0; row < data.x.rows(); ++row) data.x(row, 5) = static_cast<double>(row);
  const Rehearsal rehearsal(overfitting(3), data, std::nullopt);
  EXPECT_EQ(attack_inversion(rehearsal, rehearsal.untrained(1), 1).size(), 14);
  data.x.setConstant(2);
  const Rehearsal constant(overfitting(3), data, std::nullopt);
  EXPECT_THROW(attack_inversion(constant, constant.untrained(1), 1), ConfigError);
  TrainingPlan graph = overfitting(3);
  graph.model.layers.front().kind = LayerSpec::Kind::kGraphConvolution;
  const Rehearsal gathers(graph, random_records(3), std::nullopt);
  EXPECT_THROW(attack_inversion(gathers, gathers.untrained(1), 1), ConfigError);
}

// Labels and edges follow the same groups, which the features do not disclose: only a model that reads edges can know them.
TEST(LinkStealing, FindsEdgesThatFeaturesDoNotTell) {
  PlainData data = random_records(3);
  std::mt19937_64 random(7);
  const std::int64_t nodes = data.x.rows();
  std::vector<std::int64_t> group(static_cast<std::size_t>(nodes));
  for (std::int64_t& one : group) one = static_cast<std::int64_t>(random() % 3);
  data.y = one_hot(group, 3);
  for (std::int64_t count = 0; count < 4 * nodes;) {
    const std::size_t a = random() % static_cast<std::uint64_t>(nodes),
                      b = random() % static_cast<std::uint64_t>(nodes);
    if (a == b || group[a] != group[b]) continue;
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      data.edges.from.push_back(static_cast<std::int64_t>(from));
      data.edges.to.push_back(static_cast<std::int64_t>(to));
    }
    ++count;
  }
  TrainingPlan plan = overfitting(3);
  plan.epochs = 40;
  plan.batch = 0;
  for (const std::size_t layer : {std::size_t{0}, std::size_t{2}})
    plan.model.layers[layer].kind = LayerSpec::Kind::kGraphConvolution;
  const Rehearsal rehearsal(plan, data, std::nullopt);
  const LinkAttack attack = attack_links(rehearsal, rehearsal.trained(data.train, 1), 1000, 1);
  EXPECT_EQ(attack.pairs, 1000);
  EXPECT_GT(attack.by_model.area, 0.65);
  EXPECT_NEAR(attack.by_features.area, 0.5, 4 * attack.by_features.error);
  EXPECT_LT(attack.by_dense.area, attack.by_model.area - 0.08);
  const Rehearsal without(overfitting(3), random_records(3), std::nullopt);
  EXPECT_THROW(attack_links(without, without.untrained(1), 1000, 1), ConfigError);
}

TEST(Attacks, NeedRecordsThatAreNotTrainedOn) {
  PlainData data = random_records(3);
  data.validation = data.test = {};
  const Rehearsal rehearsal(overfitting(3), data, std::nullopt);
  EXPECT_THROW(attack_membership(rehearsal, rehearsal.untrained(1), 0, 1), ConfigError);
  EXPECT_THROW(attack_inversion(rehearsal, rehearsal.untrained(1), 1), ConfigError);
  data.y = {};
  EXPECT_THROW(Rehearsal(overfitting(3), data, std::nullopt), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
