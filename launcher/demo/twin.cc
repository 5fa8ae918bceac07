#include "launcher/demo/twin.h"

#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/graph/rows.h"
#include "gnn/plain/plain_trainer.h"
#include "launcher/run/event_json.h"
#include "launcher/run/event_log.h"
#include "launcher/run/own_part.h"
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

std::vector<gnn::EpochEvent::Reading> train_twin(const Plans& plans, const gnn::GraphData& whole,
                                                 const std::function<void(const gnn::EpochEvent&)>& on_epoch) {
  gnn::PlainTrainer trainer(
      plans.training, {features_of(plans.data, whole), labels_of(plans.data, whole), whole.edges.value_or(gnn::Edges()),
                       gnn::rows_where(whole.train_mask), gnn::rows_where(whole.val_mask),
                       gnn::rows_where(whole.test_mask), plans.data.private_graph() || plans.data.private_masks()});
  const double unit = unit_of(plans.data, whole);
  std::vector<gnn::EpochEvent::Reading> last;
  trainer.run([&](gnn::EpochEvent event) {
    for (gnn::EpochEvent::Reading& reading : event.readings) {
      if (reading.what.metric != gnn::Metric::kAccuracy) reading.value *= unit;
    }
    if (!event.readings.empty()) last = event.readings;
    if (on_epoch) on_epoch(event);
  });
  return last;
}

std::vector<gnn::EpochEvent::Reading> record_twin(const Plans& plans, const gnn::GraphData& whole,
                                                  const std::filesystem::path& output) {
  const std::filesystem::path folder = output / "plain";
  std::filesystem::create_directories(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  std::filesystem::remove(folder / "events.jsonl");  // it always begins with the first epoch
  EventLog log(folder / "events.jsonl");
  log.add("started", {{"command", "plain"}, {"role", "plain"}, {"epochs_planned", plans.training.epochs}});
  const auto readings = train_twin(plans, whole, [&](const gnn::EpochEvent& event) {
    log.add("epoch", {{"epoch", event.epoch},
                      {"loss", event.loss ? Json(*event.loss) : Json(nullptr)},
                      {"readings", json_of(event.readings)},
                      {"rate", event.rate}});
  });
  log.add("finished");
  return readings;
}

gnn::GraphData whole_of(const Job& job) {
  std::vector<gnn::GraphData> parts;
  for (int rank = 0; rank < job.parties; ++rank) {
    parts.push_back(read_own_part(job, rank, [](const std::string&) {}));
  }
  return gnn::merge(parts, job.data.ownership);
}

}  // namespace tacit::launcher
