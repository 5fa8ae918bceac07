// read_part — reads a party's file. For a folder of CSV files the job supplies the range of rows.
#pragma once

#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

// Like gnn::read_graph(). Also throws ConfigError for a folder if the job splits nodes without the
// number of nodes of each rank.
gnn::GraphData read_part(const Job& job, int rank, const std::string& file, std::vector<std::string>* ignored);

// Weights of edges that the job does not use. `ignored` as in gnn::read_graph().
void leave_out_weights(const Job& job, gnn::GraphData& part, std::vector<std::string>* ignored);

}  // namespace tacit::launcher
