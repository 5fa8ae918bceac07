// A party's own part of the data, as the job names it.
#pragma once

#include <functional>
#include <string>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

// Throws ConfigError: the job names no file, it cannot be read, or it does not fit the job. What others are told of it
// names no value; the details are for this rank alone. `note` is told what is worth knowing.
gnn::GraphData read_own_part(const Job& job, int rank, const std::function<void(const std::string&)>& note);

}  // namespace tacit::launcher
