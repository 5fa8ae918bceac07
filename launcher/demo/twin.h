// The same training in double precision, on data that all lie in one place: what a run on shares is measured by.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "gnn/data/graph_data.h"
#include "gnn/train/trainer.h"
#include "launcher/job/job.h"
#include "launcher/job/plans.h"

namespace tacit::launcher {

// Tells of every epoch what the job reveals of it; errors are in the targets' own unit. Gives the last readings. Throws
// ConfigError where the graph lacks what the plans need.
std::vector<gnn::EpochEvent::Reading> train_twin(const Plans& plans, const gnn::GraphData& whole,
                                                 const std::function<void(const gnn::EpochEvent&)>& on_epoch = {});

// The same, and OUTPUT/plain/events.jsonl has it in the form of a rank's events, for `tacit report`.
std::vector<gnn::EpochEvent::Reading> record_twin(const Plans& plans, const gnn::GraphData& whole,
                                                  const std::filesystem::path& output);

// The graph of which the job's ranks have parts, where all of them lie on this machine. Throws ConfigError.
gnn::GraphData whole_of(const Job& job);

}  // namespace tacit::launcher
