// OwnRecords — the records of one party, in the clear, as a private training takes them.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "gnn/data/graph_data.h"
#include "gnn/graph/rows.h"
#include "gnn/metric/part.h"
#include "gnn/plan/data_plan.h"
#include "gnn/plan/training_plan.h"
#include "mpc/ring/fixed_point.h"

namespace tacit::gnn {

struct OwnRecords {
  mpc::Matrix x, y;  // y: targets, or 1 in the column of the class
  Rows train, validation, test;
  std::int64_t most_drawn = 0;  // records of a step; more are left out

  const Rows& rows(Part part) const {
    return part == Part::kTrain ? train : part == Part::kValidation ? validation : test;
  }
};

// The records of a rank, if this process holds them, and null otherwise.
using RecordsOf = std::function<const OwnRecords*(int rank)>;

// The records in a party's file. Throws ConfigError if a number is beyond ranges.features. The message begins with `where`.
OwnRecords own_records(const DataPlan& data, const TrainingPlan& training, const GraphData& own,
                       std::int64_t most_drawn, std::string_view where);
// The same check for the features and targets that a party holds of the rows.
void check_within_ranges(const TrainingPlan& training, const GraphData& own, std::string_view where);

}  // namespace tacit::gnn
