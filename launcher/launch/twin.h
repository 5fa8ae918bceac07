// The twin (plaintext reference): the same training in double precision, on data in one place. A
// run on shares is compared with it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "gnn/plain/plain_trainer.h"
#include "gnn/train/trainer.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

// The whole graph, prepared as the plans say. Throws ConfigError if it lacks data that they need.
gnn::PlainData plain_data(const gnn::Plans& plans, const gnn::GraphData& whole);

// The features of all nodes in their own units; missing ones are filled as the plan says.
gnn::Matrix filled_features(const gnn::DataPlan& plan, const gnn::GraphData& whole);

struct TrainedTwin {
  std::vector<gnn::EpochEvent::Reading> readings;  // the last ones
  std::vector<gnn::NamedMatrix> parameters;
  double seconds = 0;  // for all epochs, without the work before the first one, as at a rank
};

// Calls `on_epoch` with the numbers that the job reveals of an epoch. Errors are in the targets'
// own unit. Throws ConfigError if the graph lacks data that the plans need.
TrainedTwin trained_twin(const gnn::Plans& plans, const gnn::GraphData& whole,
                         const std::function<void(const gnn::EpochEvent&)>& on_epoch = {});
// Like trained_twin(), but returns the last readings only.
std::vector<gnn::EpochEvent::Reading> train_twin(const gnn::Plans& plans, const gnn::GraphData& whole,
                                                 const std::function<void(const gnn::EpochEvent&)>& on_epoch = {});

// Like train_twin(), and writes OUTPUT/plain/events.jsonl in the form of a rank's events, for
// `tacit report`. A failure here does not fail the run beside it.
struct RecordedTwin {
  std::vector<gnn::EpochEvent::Reading> readings;  // the last ones
  std::string problem;                             // a sentence: why the readings are missing; else ""
};
RecordedTwin record_twin(const gnn::Plans& plans, const gnn::GraphData& whole, const std::filesystem::path& output);

// Joins the parts of all ranks, which must be on this machine, into the whole graph. Throws
// ConfigError, also if the parts do not fit the job or each other.
gnn::GraphData whole_of(const Job& job);

}  // namespace tacit::launcher
