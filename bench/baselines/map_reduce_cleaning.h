// clean_by_map_reduce — cleans a raw table as a MapReduce job does: map, sort and reduce through files. A baseline for
// gnn/clean, with the same result.
//
// The first job counts: a file of counts for each range, then their sum. In the second job, each mapper writes the kept
// records of its range, with their places in the table as keys, to a file for each reducer. Each reducer reads its files, sorts
// by key, imputes and writes a part. The parts in order are the cleaned table.
#pragma once

#include <filesystem>

#include "gnn/clean/rules.h"

namespace tacit::gnn {

// Writes folder/nodes.csv. `workers` threads are mappers, then reducers. Throws ConfigError.
void clean_by_map_reduce(const std::filesystem::path& raw, const CleaningRules& rules,
                         const std::filesystem::path& folder, int workers);

}  // namespace tacit::gnn
