// Small jobs of both kinds; a test decides who owns which part.
#pragma once

#include "gnn/data/graph_data.h"
#include "gnn/plan/data_plan.h"
#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

struct Job {
  GraphData whole;
  DataPlan data;
  TrainingPlan training;
};

Job sensors_job(const Ownership& owners);
Job communities_job(const Ownership& owners);
// Rows without a graph, in batches, for dense layers: regression of targets, and classes that the
// features determine.
Job rows_job(const Ownership& owners);
Job classes_of_rows_job(const Ownership& owners);
// The same with so many rows and so wide that predictions are made in two blocks.
Job many_rows_job(const Ownership& owners);

// Several graphs of 1 to 6 nodes, which the owners of rows share in places: regression of a mean over nodes, and classes.
Job pooled_job(const Ownership& owners);
Job classes_of_graphs_job(const Ownership& owners);

// Forty stations in four snapshots. Predictions of the last one are tested, the earlier ones are trained on.
Job snapshots_job(const Ownership& owners);
// The edges between the rows of a graph with snapshots, for a twin.
Edges edges_between_rows(const GraphData& graph);

// The job without some features, which become the means of their columns. Owners of rows lack whole columns.
Job without_features(Job job);
void take_features(GraphData& graph);

// The same job, whose ranks with edges keep them as sparse matrices of their own.
Job sparse(Job job);

// Links between the nodes of communities. Three pairs of nodes are predicted.
Job links_job(const Ownership& owners);

}  // namespace tacit::gnn
