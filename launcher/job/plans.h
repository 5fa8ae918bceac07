// From a job to what gnn/ trains by.
#pragma once

#include "launcher/job/job.h"

namespace tacit::launcher {

struct Plans {
  gnn::DataPlan data;
  gnn::TrainingPlan training;
};
Plans plans_of(const Job& job);

}  // namespace tacit::launcher
