// What all ranks know of the data before a session: public shapes, how many nodes count, and how much of a public graph
// each layer looks at.
//
// Every party announces its file's shapes and counts to all ranks. Parties compare what is public, without the dealer;
// then they tell the dealer, which knows no graph, how many nodes its views have. Nothing else about a public graph
// reaches it.
#pragma once

#include <functional>

#include "gnn/data/shapes.h"
#include "gnn/plan/data_plan.h"
#include "gnn/train/public_views.h"
#include "gnn/train/row_order.h"
#include "net/mesh.h"

namespace tacit::gnn {

// A rank's part of the data, where this process holds it; else null.
using PartOf = std::function<const GraphData*(int rank)>;

// Nodes that count for something.
struct Counts {
  std::int64_t train = 0, validation = 0, test = 0;

  std::int64_t of(Part part) const {
    return part == Part::kTrain ? train : part == Part::kValidation ? validation : test;
  }
  bool operator==(const Counts&) const = default;
};

struct DataAgreement {
  PublicShapes shapes;
  Counts counts;                // in all
  std::vector<Counts> by_rank;  // that each rank's masks name, where they are not public
  // Of a public graph; empty without a graph, where a batch looks at its own rows.
  std::optional<PublicViews> views;                       // at the dealer none
  std::vector<std::vector<std::int64_t>> training_sizes;  // of the views, a batch each
  std::vector<std::int64_t> whole_sizes;
  RowOrder row_order = {};
};

// At a party, `own` is its part; at the dealer, null. Throws the same ConfigError at every rank where files do not fit
// the job or each other or name their rows differently, and ProtocolError where parties hold different public graphs.
DataAgreement agree_on_data(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own);
// Where one process holds all parts.
DataAgreement agreement_of(const DataPlan& data, const TrainingPlan& training, std::span<const GraphData> parts);

// The rows where a part of the data has a mask set. Of an absent mask none.
Rows rows_of(const GraphData& data, Part part);

}  // namespace tacit::gnn
