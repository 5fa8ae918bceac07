// read_part — a party's file, read as the job says: of a folder of CSV files the job alone knows which rows it has.
#pragma once

#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

// As gnn::read_graph(). Throws ConfigError, too, for a folder where the job splits nodes and does not say how many each
// rank has.
gnn::GraphData read_part(const Job& job, int rank, const std::string& file, std::vector<std::string>* ignored);

}  // namespace tacit::launcher
