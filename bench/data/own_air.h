// OwnAir — stations that each stand in air of their own, as in yards or halls: a station's own features explain its
// next reading, and the readings of its neighbours say nothing about it.
#pragma once

#include "bench/data/random_source.h"
#include "gnn/data/graph_data.h"

namespace tacit::gnn {

// A row for each station; every number as coarse as an instrument shows it.
struct OwnAir {
  Matrix features;  // the columns of make_sensors()
  Matrix next;      // N × 1, µg/m³: the reading an hour later
};

// `error`: the standard deviation of a reading around the truth, in µg/m³.
OwnAir make_own_air(std::int64_t stations, double error, RandomSource& random);

}  // namespace tacit::gnn
