// The name of a watched group, and its declared range.
#pragma once

#include "gnn/arithmetic/ranges.h"
#include "gnn/arithmetic/watched.h"

namespace tacit::gnn {

struct WatchedRange {
  const char* group;      // "weights"
  const char* key;        // in the job's [ranges], and in Ranges
  double Ranges::*range;  // the member of that name
};

WatchedRange range_of(Watched group);

}  // namespace tacit::gnn
