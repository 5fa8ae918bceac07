// Ownership of a job's data, in the words of a job file.
#pragma once

#include "gnn/data/ownership.h"

namespace tacit::gnn {

inline Ownership ownership_of(const char* features, const char* edges, const char* labels,
                              const char* masks = "public") {
  return {parse_ownership(features, GraphPart::kFeatures), parse_ownership(edges, GraphPart::kEdges),
          parse_ownership(labels, GraphPart::kLabels), parse_ownership(masks, GraphPart::kMasks)};
}

}  // namespace tacit::gnn
