// agree_on_prediction — the agreement of all ranks on the data of a prediction: the holding of
// features and edges, the nodes to predict, and the number of nodes of a public graph that each
// layer reads.
//
// Labels and masks have no part in a prediction. A party that holds neither features nor edges has
// no data for it, unless graphs are predicted. If a rank names nodes, all parties learn which, and the
// dealer learns how many.
#pragma once

#include <optional>
#include <span>

#include "gnn/graph/graph_view.h"
#include "gnn/plan/data_plan.h"
#include "gnn/plan/training_plan.h"
#include "gnn/train/agreement.h"

namespace tacit::gnn {

struct PredictionAgreement {
  Holding holding;
  Rows nodes;                        // or graphs or pairs, to predict, ascending; the dealer knows their number alone
  std::optional<int> asker;          // the first rank that named nodes; empty: all nodes are predicted
  std::optional<LayeredGraph> view;  // of a public graph; empty at the dealer
  std::vector<std::int64_t> sizes;   // of a public graph: the number of nodes that each layer reads
  RowOrder row_order = {};
};

// The rows that have the predictions: the rows of the nodes to predict, or of the first node of each graph. `known` is null at
// the dealer.
Rows rows_of(const PredictionAgreement& agreement, const GraphData* known);

// The ownership of a prediction's data: features and edges, for any number of nodes.
Ownership ownership_of_prediction(const Ownership& ownership);
// True if the rank holds features or edges, or graphs or pairs, which all ranks have.
bool takes_part(const Ownership& ownership, int rank);
// The features and edges of a part, with their ids; no nodes if the rank holds neither.
GraphData part_of_prediction(const GraphData& part, const Ownership& ownership, int rank);

// `own`: the result of part_of_prediction(); null at the dealer. `asked`: the nodes that this rank names, ascending; empty
// if it names none. Throws the same ConfigError at every rank if the parts do not fit each other or the columns
// `trained` of each rank in the training, or if two ranks name different nodes. Reveals: sizes to all ranks; to the
// parties the nodes that a rank names.
PredictionAgreement agree_on_prediction(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training,
                                        const std::vector<std::int64_t>& trained, const GraphData* own,
                                        const std::optional<Rows>& asked);
// The same agreement for a process that holds all parts.
PredictionAgreement prediction_agreement_of(const DataPlan& data, const TrainingPlan& training,
                                            std::span<const GraphData> parts, const std::optional<Rows>& asked);

}  // namespace tacit::gnn
