// Summaries of a run's ranks, and a table with a line for each rank.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/json.h"

namespace tacit::launcher {

// The longest name in a rank's summary that is printed in full, in characters.
constexpr std::size_t kMostOfName = 30;

// By rank: output/rank<r>/summary.json, or the file with another name, with the last loss of the rank's events. Null if
// a rank has no readable summary.
std::vector<Json> read_summaries(const std::filesystem::path& output, int ranks,
                                 const std::string& name = "summary.json");

// True if the events of every party, killed ones included, report a checkpoint.
bool all_parties_have_checkpoints(const std::filesystem::path& output, int parties);

// Bytes are the protocol's payload, without the overhead of TLS and TCP. "": no rank has a summary. A confusion matrix follows
// the table, unless it is printed elsewhere.
enum class Matrix : unsigned char { kFollows, kElsewhere };
std::string table_of(const std::vector<Json>& summaries, int parties, Matrix matrix = Matrix::kFollows);

}  // namespace tacit::launcher
