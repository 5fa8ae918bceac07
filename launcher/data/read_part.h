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

// The same for other data to predict (`predict.files`). predict.rows states the number of nodes of each rank; without it,
// each rank has as many as in the training.
gnn::GraphData read_other_part(const Job& job, int rank, const std::string& file, std::vector<std::string>* ignored);

// A file with all nodes of a job's data.
gnn::GraphData read_whole(const Job& job, const std::string& file);
// Weights of edges, or pairs of nodes, that the job does not use. `ignored` as in gnn::read_graph().
void leave_out_unused(const Job& job, gnn::GraphData& part, std::vector<std::string>* ignored);

}  // namespace tacit::launcher
