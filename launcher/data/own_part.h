// A party's own part of the data, as the job names it.
#pragma once

#include <functional>
#include <string>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

// True if this file of a party is not there yet because the parties have not aligned their parts. kAlignFirst says so.
bool is_to_be_aligned(const Job& job, const std::string& file);
inline constexpr const char* kAlignFirst =
    "the job says join = \"intersection\": run `tacit data align JOB` at every rank first, which writes it";

// Throws ConfigError if the job names no file, the file cannot be read, or does not fit the job. The error's text for
// other ranks names no value; the details are for this rank alone. `note` receives remarks for the user.
gnn::GraphData read_own_part(const Job& job, int rank, const std::function<void(const std::string&)>& note);

// Like read_own_part() for a prediction, which needs no labels and masks. A rank without features and edges has no
// data of a prediction, unless graphs are predicted: the part is then empty, and no file is read.
gnn::GraphData read_prediction_part(const Job& job, int rank, const std::function<void(const std::string&)>& note);

}  // namespace tacit::launcher
