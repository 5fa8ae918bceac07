// sum_over_parties — the statistics of all parties' tables together. A party's own counts stay on shares; what `tacit data
// clean` imputes with is revealed to every party: the number of kept rows, and of each column with a statistic the number of
// imputed values, and the sum or the counts of the others.
//
// Reveals     these sums over all parties, to all parties
// Rounds      3, among them the comparison of the rules' digests, and of transcripts
// Sends       8 bytes for each number to each party
// Secure      against any passive coalition of parties. There is no dealer
#pragma once

#include <vector>

#include "gnn/clean/statistics.h"
#include "net/mesh.h"

namespace tacit::gnn {

// Throws the same ConfigError at all parties for rules that differ, and at one party for more rows than can be counted.
CleaningStatistics sum_over_parties(net::Mesh& mesh, const CleaningRules& rules, const CleaningStatistics& own);

// How many numbers of the statistics are revealed.
std::int64_t revealed_numbers(const CleaningRules& rules);

}  // namespace tacit::gnn
