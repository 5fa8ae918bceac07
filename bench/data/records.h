// make_records — rows of bits with two classes that some of the bits predict, for trials of private training and of attacks. No
// other column and no label predicts the bit of the last column: a right guess above half comes from the record itself.
#pragma once

#include <cstdint>

#include "gnn/data/graph_data.h"

namespace tacit::gnn {

struct RecordsOptions {
  std::int64_t rows = 1200, columns = 21;
  double train = 1.0 / 3;  // the part of rows to train on; half of the others are for validation, half for tests
  std::uint64_t seed = 1;
};

GraphData make_records(const RecordsOptions& options);

}  // namespace tacit::gnn
