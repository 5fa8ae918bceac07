// DataScale — how the columns of a training's data were scaled. A checkpoint keeps it, so that other
// data are scaled in the same way for predictions.
#pragma once

#include <string>
#include <vector>

#include "gnn/arithmetic/column_scale.h"
#include "gnn/data/preparation.h"

namespace tacit::gnn {

struct DataScale {
  // The statistics that a rank computed of its own columns. Empty for a rank if this process does not
  // hold its part, and if owners of rows scale their columns together.
  struct Own {
    Statistics features, targets;
    std::vector<std::string> feature_names;  // empty: the file has none
  };
  // The scale of columns that owners of rows scale together, on shares.
  struct Shared {
    ColumnScale columns;      // after column c was multiplied by 2^powers[c]
    std::vector<int> powers;  // only parties know them
  };

  std::vector<Own> own;                                       // by rank
  std::vector<std::int64_t> feature_columns, target_columns;  // the columns that each rank's part had
  std::optional<Shared> features, targets;
};

}  // namespace tacit::gnn
