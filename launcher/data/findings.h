// What is wrong with a party's file for a job, and what is worth knowing: all of it at once, where training would stop
// at the first, or, with a value outside its declared range, go on and be silently wrong.
//
// For the eyes of the file's owner: a finding may name values.
#pragma once

#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

struct Findings {
  std::vector<std::string> wrong, notes;  // a sentence each
};

Findings findings(const gnn::GraphData& part, const Job& job, int rank, const std::string& file);

}  // namespace tacit::launcher
