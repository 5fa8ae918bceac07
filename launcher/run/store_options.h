// Finds the checkpoints of a party: their folder, and the key that seals them.
#pragma once

#include "gnn/checkpoint/checkpoint_store.h"
#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"
#include "launcher/run/output_folder.h"

namespace tacit::launcher {

// Returns the folder of this party's checkpoints, their key, and the digests of the job and of `part` (the result of
// read_own_part()). If the job names no key, one is made in the folder, provided that `may_make_key`.
gnn::StoreOptions store_options(const Job& job, int rank, const gnn::GraphData& part, const OutputFolder& folder,
                                bool may_make_key);

}  // namespace tacit::launcher
