// What the ranks of a run say of it when it is over: a table with a line for each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/json.h"

namespace tacit::launcher {

// The longest name in a rank's summary that is printed in full, in characters.
constexpr std::size_t kMostOfName = 30;

// By rank, output/rank<r>/summary.json and the last loss of its events; null where a rank wrote none, or none that can
// be read.
std::vector<Json> read_summaries(const std::filesystem::path& output, int ranks);

// Whether every party has written a checkpoint there, as its events say, those of a rank that was killed, too.
bool all_parties_have_checkpoints(const std::filesystem::path& output, int parties);

// Bytes are a protocol's own, without what TLS and TCP add. "": nobody wrote any.
std::string table_of(const std::vector<Json>& summaries, int parties);

}  // namespace tacit::launcher
