// share_links — the labels and views of a job that learns links. The labels are public, as link_pairs.h numbers the pairs.
//
// The links of a private graph leave their owners as shares: for each link two rows with a single 1, at its nodes. The pairs
// of a step are picked from these rows on shares, and masked then, so that the dealer learns nothing of a public graph either.
#pragma once

#include "gnn/train/agreement.h"
#include "gnn/train/shared_columns.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

// Adds y, the selections and all views to the graph.
void share_links(SharedColumns& columns, const DataPlan& data, const TrainingPlan& training,
                 const DataAgreement& agreement, SecretGraph& graph);

// The ends of some of the pairs to predict, by number. `known` is null at the dealer.
PairEnds ends_of_asked(const GraphData* known, const Rows& pairs, std::int64_t nodes);

}  // namespace tacit::gnn
