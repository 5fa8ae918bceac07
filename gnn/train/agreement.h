// What all ranks know of the data before a session: public shapes, and how much of a public graph each layer looks at.
//
// Every party announces its file's shapes to all ranks; then all parties tell the dealer, which knows no graph, how
// many nodes its views have. Nothing else about a public graph reaches it.
#pragma once

#include <functional>

#include "gnn/data/shapes.h"
#include "gnn/graph/graph_view.h"
#include "gnn/train/data_plan.h"
#include "gnn/train/training_plan.h"
#include "net/mesh.h"

namespace tacit::gnn {

// A rank's part of the data, where this process holds it; else null.
using PartOf = std::function<const GraphData*(int rank)>;

struct DataAgreement {
  PublicShapes shapes;
  std::vector<std::int64_t> training_sizes, whole_sizes;  // of GraphView
  std::int64_t train = 0, validation = 0, test = 0;       // nodes
};

// At a party, `own` is its part; at the dealer, null. Throws the same ConfigError at every rank where files do not fit
// the job or each other, and ProtocolError where parties hold different public graphs.
DataAgreement agree_on_data(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own);
// Where one process holds all parts.
DataAgreement agreement_of(const DataPlan& data, const TrainingPlan& training, std::span<const GraphData> parts);

// Of a graph that is public, or at the dealer of its sizes.
struct PublicViews {
  GraphView training, whole;
};
PublicViews public_views(const TrainingPlan& training, const DataAgreement& agreement, const GraphData* any_part);

// At a party the public masks; at the dealer as many rows.
Split split_of(const DataAgreement& agreement, const GraphData* any_part);

}  // namespace tacit::gnn
