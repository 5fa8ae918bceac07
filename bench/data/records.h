// make_records — rows of bits with two classes that some of the bits tell, for trials of private training and of attacks. The last
// column is a bit that nothing else tells: whoever guesses it knows it from the record itself.
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
