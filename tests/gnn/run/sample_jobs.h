// Small jobs of both kinds, whose parts belong to whom a test says.
#pragma once

#include "gnn/data/graph_data.h"
#include "gnn/train/data_plan.h"
#include "gnn/train/training_plan.h"

namespace tacit::gnn {

struct Job {
  GraphData whole;
  DataPlan data;
  TrainingPlan training;
};

Job sensors_job(const Ownership& owners);
Job communities_job(const Ownership& owners);

}  // namespace tacit::gnn
