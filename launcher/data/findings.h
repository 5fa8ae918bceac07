// findings — checks a party's file against a job and lists all errors and remarks at once. A
// training would stop at the first error, or, with a value outside its declared range, go on with
// silently wrong results.
//
// For the owner of the file only, since a finding may contain values.
#pragma once

#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

struct Findings {
  std::vector<std::string> wrong, notes;  // sentences
};

// The remark that a party's own file is newer than the aligned file that was made from it; "" otherwise.
std::string newer_than_aligned(const Job& job, int rank);

Findings findings(const gnn::GraphData& part, const Job& job, int rank, const std::string& file);

}  // namespace tacit::launcher
