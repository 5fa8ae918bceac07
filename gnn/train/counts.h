// Counts — how many nodes, graphs or pairs of nodes count for training, validation and test.
#pragma once

#include <cstdint>

#include "gnn/metric/part.h"

namespace tacit::gnn {

struct Counts {
  std::int64_t train = 0, validation = 0, test = 0;

  std::int64_t of(Part part) const {
    return part == Part::kTrain ? train : part == Part::kValidation ? validation : test;
  }
  std::int64_t sum() const { return train + validation + test; }
  bool operator==(const Counts&) const = default;
};

}  // namespace tacit::gnn
