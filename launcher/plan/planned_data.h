// What a plan must know of the data: sizes, and of a public graph how much of it a layer looks at.
#pragma once

#include <optional>

#include "gnn/train/agreement.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

// For who has no data yet.
struct StatedSizes {
  std::int64_t nodes = 0, features = 0, targets = 1;
  std::int64_t train = 0, validation = 0, test = 0;  // nodes of each
};

struct PlannedData {
  gnn::DataAgreement agreement;
  std::string from;      // a sentence: where the sizes come from
  bool at_most = false;  // a public graph that nobody knows: every layer may look at all nodes
};

// By the parts that data.files names, all of which must be here; by the whole graph in a file; or as stated.
PlannedData data_by_parts(const Job& job);
PlannedData data_by_graph(const Job& job, const std::string& file);
// By all parties' parts if they are here; otherwise by the part of this rank, taking the other parts to be as large.
PlannedData data_for_memory(const Job& job, int rank);
PlannedData data_as_stated(const Job& job, const StatedSizes& sizes);

}  // namespace tacit::launcher
