// noisy_sum — reveals the sum of all parties' own numbers and noises to all parties. Numbers are made range by range while
// earlier ranges travel already (buckets, as in DistributedDataParallel).
//
// Each party adds noise of its own to its numbers (noise.h, kParties), on the same grid, and rounds each number to the nearest
// unit of the format in which the sum is opened. contribution(), add_noise(), such a rounding and reveal(), one after the
// other, give the same result.
//
// Requires    whole numbers x_i of units of 2^-f, f = format.fraction_bits, |x_i| <= 2^52 at each party. The sum with all
//             noise, in units of `opened`, lies within the ring of `opened`
// Reveals     the sum of rounded numbers with noise. Shares of zero hide each party's part, as in reveal.h
// Rounds      as reveal.h, for any number of ranges
// Sends       as reveal.h
// Consumes    as reveal.h; no dealt words
// Secure      against n-1 passive parties, and private as noise.h says of kParties. If the parties round their own numbers,
//             a party's numbers are protected by its own noise alone, also if all others pool their knowledge. The time at
//             which a range leaves, and so the time of a reveal, depends on the time to make the range, and so on the number
//             of records in it
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "mpc/protocols/noise.h"

namespace tacit::mpc {

struct NoisySum {
  Shape shape;
  Format format;  // of each party's numbers, and of the noise's grid
  Format opened;  // at most as many fraction bits as `format`
  Noise noise;    // from parties
};

// Fills in the party's own numbers from `begin` on. In the clear session: the sum of all parties' numbers.
using OwnNumbers = std::function<void(std::int64_t begin, std::span<double> units)>;

// `own` is called once for each range; never in a planning session.
Public reveal_noisy_sum(Session& session, const NoisySum& sum, const OwnNumbers& own, std::string_view reason);

}  // namespace tacit::mpc
