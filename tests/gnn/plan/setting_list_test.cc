// The settings of a plan as a list. Ranks compare this list, and checkpoints store its hash.
#include "gnn/settings/setting_list.h"

#include <gmock/gmock.h>

#include "gnn/plan/plans.h"

namespace tacit::gnn {
namespace {

Plans sample() {
  Plans plans;
  plans.training.model = ModelSpec::gcn(16, 1);
  return plans;
}

std::vector<std::string> names_of(const SettingList& settings) {
  std::vector<std::string> names;
  for (const auto& [name, value] : settings) names.push_back(name);
  return names;
}

TEST(SettingList, OfAScopeHasTheSettingsThatMustBeEqualInIt) {
  using testing::AllOf;
  using testing::Contains;
  using testing::Not;
  const Plans plans = sample();
  const auto session = names_of(settings_of(plans, Scope::kSession)), run = names_of(settings_of(plans, Scope::kRun)),
             model = names_of(settings_of(plans, Scope::kModel));
  EXPECT_THAT(session, testing::IsSupersetOf(run));
  EXPECT_THAT(run, testing::IsSupersetOf(model));
  EXPECT_THAT(session, Contains("ranges.weights"));
  EXPECT_THAT(run, AllOf(Contains("training.seed"), Not(Contains("ranges.weights"))));
  EXPECT_THAT(model, AllOf(Contains("model.layers[2].outputs"), Contains("ring.bits"), Not(Contains("training.seed"))));
}

TEST(SettingList, ChangesItsDigestWithEverySetting) {
  const auto digest = [](const auto& change) {
    Plans plans = sample();
    change(plans);
    return digest_of(settings_of(plans, Scope::kSession));
  };
  std::vector<mpc::Digest> all{digest([](Plans&) {})};
  all.push_back(digest([](Plans& p) { p.data.classes = 2; }));
  all.push_back(digest([](Plans& p) { p.data.cut = 3; }));
  all.push_back(digest([](Plans& p) { p.training.clip = 3; }));
  all.push_back(digest([](Plans& p) { p.training.optimiser = AdamOptions{}; }));
  all.push_back(digest([](Plans& p) { p.training.rate.initial = 1; }));
  all.push_back(digest([](Plans& p) { p.training.loss_to.reset(); }));
  all.push_back(digest([](Plans& p) { p.training.metrics.resize(1); }));
  all.push_back(digest([](Plans& p) { p.training.model.layers.pop_back(); }));
  all.push_back(digest([](Plans& p) { p.training.audit_every = 0; }));
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]) << i << ", " << j;
  }
}

TEST(SettingList, NamesTheFirstDifference) {
  Plans other = sample();
  other.training.epochs = 7;
  const auto text = [](const Plans& plans) { return to_text(settings_of(plans, Scope::kRun)); };
  EXPECT_FALSE(first_difference(text(sample()), text(sample())));
  EXPECT_EQ(first_difference(text(sample()), text(other))->as_change(), "training.epochs was 100 and is 7");
  other = sample();
  other.training.clip = 2;
  EXPECT_EQ(first_difference(text(sample()), text(other))->as_change(), "training.clip was not in it, and is 2");
  EXPECT_EQ(first_difference(text(other), text(sample()))->as_change(), "training.clip was 2, and this one has none");
}

}  // namespace
}  // namespace tacit::gnn
