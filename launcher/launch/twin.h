// The same training in double precision, on data that all lie in one place: what a run on shares is measured by.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "gnn/train/trainer.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

struct TrainedTwin {
  std::vector<gnn::EpochEvent::Reading> readings;  // the last
  std::vector<gnn::NamedMatrix> parameters;
  double seconds = 0;  // of all epochs, as a rank counts them: without what comes before the first
};

// Tells of every epoch what the job reveals of it; errors are in the targets' own unit. Throws ConfigError where the
// graph lacks what the plans need.
TrainedTwin trained_twin(const gnn::Plans& plans, const gnn::GraphData& whole,
                         const std::function<void(const gnn::EpochEvent&)>& on_epoch = {});
// Its last readings alone.
std::vector<gnn::EpochEvent::Reading> train_twin(const gnn::Plans& plans, const gnn::GraphData& whole,
                                                 const std::function<void(const gnn::EpochEvent&)>& on_epoch = {});

// The same, and OUTPUT/plain/events.jsonl has it in the form of a rank's events, for `tacit report`. One that fails is
// no failure of the run beside it.
struct RecordedTwin {
  std::vector<gnn::EpochEvent::Reading> readings;  // the last
  std::string problem;                             // a sentence: why there is none; else ""
};
RecordedTwin record_twin(const gnn::Plans& plans, const gnn::GraphData& whole, const std::filesystem::path& output);

// The graph of which the job's ranks have parts, where all of them lie on this machine. Throws ConfigError, also where
// the parts do not fit the job or each other.
gnn::GraphData whole_of(const Job& job);

}  // namespace tacit::launcher
