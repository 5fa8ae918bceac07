// range_check — finds declared ranges that a job would leave (overflow check). Runs some epochs in
// the clear session: the same program on plain fixed-point values with visible sizes.
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
    std::string key;      // in [ranges]
    double declared = 0;  // in the job
    double largest = 0;   // the largest value seen
    double enough = 0;    // value to declare: a power of two, at least twice `largest`
  };
  std::int64_t epochs = 0;  // number of epochs run
  std::vector<Left> left;
  bool clean_then = true;  // all values stayed within these new ranges
  std::string problem;     // a sentence if the epochs could not be run; else ""

  // Lines for people, with the job lines to paste.
  std::string text() const;
  Json json() const;
};

// All parts of the data, if they are on this machine: the files of all ranks, or a sample that is
// split among the ranks as in the job.
std::vector<gnn::GraphData> all_parts(const Job& job, const std::string& sample);

// Runs at most `epochs` epochs, and repeats them with wider ranges until no range is left.
RangeCheck check_ranges(const Job& job, const std::vector<gnn::GraphData>& parts, std::int64_t epochs);

}  // namespace tacit::launcher
