// Small jobs of both kinds, whose parts belong to whom a test says.
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
// Rows without a graph, in batches: dense layers. Of classes that their features tell; of targets.
Job rows_job(const Ownership& owners);
Job classes_of_rows_job(const Ownership& owners);
// The same of so many rows and so wide that predictions are made in two blocks.
Job many_rows_job(const Ownership& owners);

}  // namespace tacit::gnn
