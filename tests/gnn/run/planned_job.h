// The plans of sample jobs, and comparisons of their costs.
#pragma once

#include <gtest/gtest.h>

#include "gnn/data/split.h"
#include "gnn/train/agreement.h"
#include "gnn/train/training_profile.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/mpc/costs_by_part.h"

namespace tacit::gnn {

inline Job with_all_reveals(Job job) {
  job.training.epochs = 5;
  job.training.model_to = mpc::To::rank(1);
  job.training.predictions_to = mpc::To::everyone();
  return job;
}

inline DataAgreement agreement_for(const Job& job, int parties) {
  std::vector<GraphData> parts;
  for (int rank = 0; rank < parties; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, parties));
  return agreement_of(job.data, job.training, parts);
}

// `rank`: for messages.
inline void expect_same_costs(const TrainingProfile& run, const TrainingProfile& planned, int rank) {
  SCOPED_TRACE(rank);
  EXPECT_EQ(run.epochs, planned.epochs);
  EXPECT_EQ(costs_by_part(run.before), costs_by_part(planned.before));
  EXPECT_EQ(costs_by_part(run.first_epoch), costs_by_part(planned.first_epoch));
  EXPECT_EQ(costs_by_part(run.later_epochs), costs_by_part(planned.later_epochs));
  EXPECT_EQ(costs_by_part(run.after), costs_by_part(planned.after));
}

}  // namespace tacit::gnn
