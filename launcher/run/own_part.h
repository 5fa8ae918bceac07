// A party's own part of the data, and the key under which its checkpoints are sealed.
#pragma once

#include <functional>

#include "gnn/checkpoint/checkpoint_store.h"
#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"
#include "launcher/run/output_folder.h"

namespace tacit::launcher {

// Throws ConfigError: the job names no file, it cannot be read, or it does not fit the job. What others are told of it
// names no value; the details are for this rank alone. `note` is told what is worth knowing.
gnn::GraphData read_own_part(const Job& job, int rank, const std::function<void(const std::string&)>& note);

// The folder of this party's checkpoints, their key, and the digests of the job and of `part`, which read_own_part()
// returned. A key that the job does not name is made in the folder if `may_make_key`.
gnn::StoreOptions store_options(const Job& job, int rank, const gnn::GraphData& part, const OutputFolder& folder,
                                bool may_make_key);

}  // namespace tacit::launcher
