// range_check — which declared ranges a job would leave, from some epochs of it in the clear session: the same program
// on plain fixed-point values, which sees how large they become.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"
#include "launcher/json.h"

namespace tacit::launcher {

struct RangeCheck {
  struct Left {
    std::string key;      // of [ranges]
    double declared = 0;  // by the job
    double largest = 0;   // that was seen
    double enough = 0;    // to declare: a power of two, at least twice as large as what was seen
  };
  std::int64_t epochs = 0;  // that were run
  std::vector<Left> left;
  bool clean_then = true;  // whether all stayed within their ranges once these were declared
  std::string problem;     // a sentence, where the epochs could not be run; else ""

  // Lines for people, with the job lines to paste.
  std::string text() const;
  Json json() const;
};

// The whole data, where they lie here: the parts of all ranks, or a sample that is split among them as the job says.
std::vector<gnn::GraphData> all_parts(const Job& job, const std::string& sample);

// Runs so many epochs at most; again with wider ranges where some were left, until none is.
RangeCheck check_ranges(const Job& job, const std::vector<gnn::GraphData>& parts, std::int64_t epochs);

}  // namespace tacit::launcher
