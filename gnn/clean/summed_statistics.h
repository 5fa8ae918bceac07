// sum_over_parties — the statistics of all parties' tables together. A party's own counts stay on shares; what `tacit data
// clean` imputes with is revealed to every party: the number of kept rows, and of each column with a statistic the number of
// imputed values, and the sum or the counts of the others. With noise, only the noisy sums are revealed (statistics_noise.h).
//
// Reveals     these sums over all parties, to all parties
// Rounds      3, among them the comparison of the rules' digests, and of transcripts; with noise one more, in which all parties
//             say that they have reserved the privacy
// Sends       8 bytes for each number to each party
// Secure      against any passive coalition of parties. There is no dealer
#pragma once

#include <functional>
#include <vector>

#include "gnn/clean/statistics.h"
#include "gnn/clean/statistics_noise.h"
#include "mpc/random/nonce.h"
#include "net/mesh.h"

namespace tacit::gnn {

struct NoisySums {
  StatisticsNoise noise;
  // Reserves the privacy in the party's ledger. No party reveals anything before all parties have done so.
  std::function<void(const mpc::Nonce& session)> reserve;
  std::function<void()> before_reveal;  // directly before the reveal
};

// Throws the same ConfigError at all parties for rules or noise that differ, and at one party for more rows than can be
// counted.
CleaningStatistics sum_over_parties(net::Mesh& mesh, const CleaningRules& rules, const CleaningStatistics& own,
                                    const NoisySums* noisy = nullptr);

// A table's numbers in whole units of 2^-bits rows, as they are added up with noise: one row moves the vector by
// influence_of_row() rows at most.
std::vector<double> numbers_in_units(const CleaningRules& rules, CleaningStatistics own, int bits);

// How many numbers of the statistics are revealed: with noise, the counts of groups of bins as well.
std::int64_t revealed_numbers(const CleaningRules& rules, bool with_noise);

}  // namespace tacit::gnn
