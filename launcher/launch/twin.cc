#include "launcher/launch/twin.h"

#include "gnn/data/labels.h"
#include "gnn/data/preparation.h"
#include "gnn/data/snapshots.h"
#include "gnn/data/split.h"
#include "gnn/graph/rows.h"
#include "gnn/plain/plain_links.h"
#include "gnn/plain/plain_perturbed.h"
#include "gnn/plain/plain_trainer.h"
#include "gnn/train/agreement.h"
#include "gnn/train/target_scale.h"
#include "launcher/data/own_part.h"
#include "launcher/event_json.h"
#include "launcher/run/event_log.h"
#include "net/error.h"
#include "net/printable.h"
#include "net/private_folder.h"

namespace tacit::launcher {

namespace {

gnn::Matrix features_of(const gnn::DataPlan& plan, const gnn::GraphData& whole) {
  if (!whole.x && !whole.sparse_x) throw ConfigError("the graph has no features, and so no twin to train");
  const gnn::Matrix x = filled_features(plan, whole);
  if (plan.features == gnn::FeatureScaling::kStandardise) return gnn::cut_at(gnn::standardised(x), plan.cut);
  return plan.features == gnn::FeatureScaling::kRowSum ? gnn::with_rows_of_sum_1(x) : x;
}

// The size of an error of 1 in prepared targets, in each target's own unit.
gnn::Matrix unit_of(const gnn::DataPlan& plan, const gnn::GraphData& whole) {
  if (plan.classes > 0 || !plan.standardise_targets) return {};
  return gnn::deviations(gnn::targets_of_scale(plan, whole));
}

gnn::Matrix labels_of(const gnn::DataPlan& plan, const gnn::GraphData& whole) {
  if (plan.classes > 0 ? !whole.classes : !whole.targets) throw ConfigError("the graph lacks the labels of the job");
  if (plan.classes > 0) return gnn::one_hot(*whole.classes, plan.classes);
  if (!plan.standardise_targets) return gnn::with_zeros_for_unknown(*whole.targets);
  return gnn::with_zeros_for_unknown(gnn::standardised(*whole.targets, gnn::targets_of_scale(plan, whole)));
}

}  // namespace

gnn::Matrix filled_features(const gnn::DataPlan& plan, const gnn::GraphData& whole) {
  const gnn::Matrix x = whole.x ? *whole.x : whole.sparse_x->dense();
  return plan.fills_features() ? gnn::filled(x) : x;
}

gnn::PlainData plain_data(const gnn::Plans& plans, const gnn::GraphData& whole) {
  if (plans.data.links) return gnn::plain_links(plans.data, whole, features_of(plans.data, whole));
  return {features_of(plans.data, whole),
          labels_of(plans.data, whole),
          gnn::edges_of_rows(whole.edges.value_or(gnn::Edges()), whole.snapshots),
          gnn::rows_where(whole.train_mask),
          gnn::rows_where(whole.val_mask),
          gnn::rows_where(whole.test_mask),
          plans.data.private_graph() || plans.data.private_masks(),
          unit_of(plans.data, whole),
          whole.graphs};
}

TrainedTwin trained_twin(const gnn::Plans& plans, const gnn::GraphData& whole,
                         const std::function<void(const gnn::EpochEvent&)>& on_epoch) {
  gnn::TrainingPlan training = plans.training;
  gnn::PlainData data = plain_data(plans, whole);
  if (training.model.perturbed) {
    data = gnn::plain_perturbed(training, std::move(data));
    training = gnn::without_noise(std::move(training));
  }
  gnn::PlainTrainer trainer(training, std::move(data));
  TrainedTwin twin;
  trainer.run([&](const gnn::EpochEvent& event) {
    const auto& readings = event.of_epoch ? event.of_best : event.readings;
    if (!readings.empty()) twin.readings = readings;
    twin.seconds += event.usage.seconds;
    if (on_epoch) on_epoch(event);
  });
  twin.parameters = trainer.parameters();
  return twin;
}

std::vector<gnn::EpochEvent::Reading> train_twin(const gnn::Plans& plans, const gnn::GraphData& whole,
                                                 const std::function<void(const gnn::EpochEvent&)>& on_epoch) {
  return trained_twin(plans, whole, on_epoch).readings;
}

namespace {

std::vector<gnn::EpochEvent::Reading> recorded(const gnn::Plans& plans, const gnn::GraphData& whole,
                                               const std::filesystem::path& output) {
  const std::filesystem::path folder = output / "plain";
  net::make_private_folder(folder, "output folder", "name another with --output");
  std::filesystem::remove(folder / "events.jsonl");  // the log begins with the first epoch
  EventLog log(folder / "events.jsonl");
  log.add("started", {{"command", "plain"}, {"role", "plain"}, {"epochs_planned", plans.training.epochs}});
  const auto readings = train_twin(plans, whole, [&](const gnn::EpochEvent& event) {
    Json json = {{"epoch", event.epoch},
                 {"loss", event.loss ? Json(*event.loss) : Json(nullptr)},
                 {"readings", json_of(event.readings, plans.data.class_names)},
                 {"rate", event.rate}};
    add_best(event, plans.data.class_names, json);
    log.add("epoch", std::move(json));
  });
  log.add("finished");
  return readings;
}

}  // namespace

RecordedTwin record_twin(const gnn::Plans& plans, const gnn::GraphData& whole, const std::filesystem::path& output) {
  try {
    return {recorded(plans, whole, output), ""};
  } catch (const std::exception& error) {
    return {{}, "there is no training on plain data: " + net::printable(error.what(), 500)};
  }
}

gnn::GraphData whole_of(const Job& job) {
  std::vector<gnn::GraphData> parts;
  for (int rank = 0; rank < job.parties; ++rank) {
    parts.push_back(read_own_part(job, rank, [](const std::string&) {}));
  }
  const gnn::Plans plans = job;
  gnn::agreement_of(plans.data, plans.training, parts);  // throws as the ranks would
  return gnn::merge(parts, job.data.ownership);
}

}  // namespace tacit::launcher
