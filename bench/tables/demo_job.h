// The demonstration's job and its data: the sensor network of examples/jobs/sensors.toml, for so many parties.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

inline constexpr int kMostDemoParties = 8;  // there are eight columns of readings

struct DemoJob {
  std::string file;                 // the job
  gnn::GraphData whole;             // what no party has
  std::vector<std::string> shares;  // what each of them has, in words
};

// The job, of no file: who holds what, and how it is trained.
Job demo_job(int parties, std::int64_t epochs);

// Writes the job and the parties' files into `folder`.
DemoJob make_demo(const std::filesystem::path& folder, int parties, std::int64_t epochs);

}  // namespace tacit::launcher
