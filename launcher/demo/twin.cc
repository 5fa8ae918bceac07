#include "launcher/demo/twin.h"

#include "gnn/data/preparation.h"
#include "gnn/graph/rows.h"
#include "gnn/plain/plain_trainer.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

gnn::Matrix features_of(const gnn::DataPlan& plan, const gnn::GraphData& whole) {
  if (!whole.x && !whole.sparse_x) throw ConfigError("the graph has no features, and so no twin to train");
  const gnn::Matrix x = whole.x ? *whole.x : whole.sparse_x->dense();
  if (plan.features == gnn::FeatureScaling::kStandardise) return gnn::standardised(x);
  return plan.features == gnn::FeatureScaling::kRowSum ? gnn::with_rows_of_sum_1(x) : x;
}

// What an error of 1 after preparation is, in the targets' own unit.
double unit_of(const gnn::DataPlan& plan, const gnn::GraphData& whole) {
  if (plan.classes > 0 || !plan.standardise_targets) return 1;
  if (whole.targets->cols() != 1) throw ConfigError("errors of several targets have no one unit to be told in");
  return gnn::deviations(*whole.targets)(0);
}

gnn::Matrix labels_of(const gnn::DataPlan& plan, const gnn::GraphData& whole) {
  if (plan.classes > 0 ? !whole.classes : !whole.targets) throw ConfigError("the graph lacks the labels of the job");
  if (plan.classes > 0) return gnn::one_hot(*whole.classes, plan.classes);
  return plan.standardise_targets ? gnn::standardised(*whole.targets) : *whole.targets;
}

}  // namespace

std::vector<gnn::EpochEvent::Reading> plain_readings(const Plans& plans, const gnn::GraphData& whole) {
  gnn::PlainTrainer trainer(
      plans.training, {features_of(plans.data, whole), labels_of(plans.data, whole), whole.edges.value_or(gnn::Edges()),
                       gnn::rows_where(whole.train_mask), gnn::rows_where(whole.val_mask),
                       gnn::rows_where(whole.test_mask), plans.data.private_graph() || plans.data.private_masks()});
  const double unit = unit_of(plans.data, whole);
  std::vector<gnn::EpochEvent::Reading> last;
  trainer.run([&](const gnn::EpochEvent& event) {
    if (!event.readings.empty()) last = event.readings;
  });
  for (gnn::EpochEvent::Reading& reading : last) reading.value *= unit;
  return last;
}

}  // namespace tacit::launcher
