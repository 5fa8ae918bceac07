// The demonstration's job and data: the sensor network of examples/jobs/sensors.toml, for a chosen
// number of parties.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

inline constexpr int kMostDemoParties = 8;  // the data have eight columns of readings

struct DemoJob {
  std::string file;                 // path of the job file
  gnn::GraphData whole;             // the whole graph, which no party has
  std::vector<std::string> shares;  // each party's part, in words
};

// The job without a file: the owners of the data, and the training.
Job demo_job(int parties, std::int64_t epochs);

// Writes the job and the parties' files into `folder`. `correlations`: the job's word.
DemoJob make_demo(const std::filesystem::path& folder, int parties, std::int64_t epochs,
                  const std::string& correlations = "dealer");

}  // namespace tacit::launcher
