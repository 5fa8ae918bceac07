// Made records of people (bench/data/census.h), cleaned by their own rules as `tacit data clean` does.
#pragma once

#include "bench/data/census.h"
#include "gnn/data/graph_data.h"
#include "launcher/processes/scratch_folder.h"

namespace tacit::launcher {

// `records`: rows of the raw table; some are dropped. `folder` holds the files between the two steps.
gnn::GraphData cleaned_census(const gnn::CensusOptions& records, const ScratchFolder& folder);

}  // namespace tacit::launcher
