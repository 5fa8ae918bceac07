// planned_request states the tasks of a request (Making::add), with the memory of each task and the traffic of party `rank`, and the cost
// of all tasks together. Only the public part of the request is read: shapes, widths, tables.
//
// A program makes a few kinds of requests over and over, so the thread keeps the plans of the last ones.
#pragma once

#include <memory>
#include <vector>

#include "mpc/correlations/correlations.h"
#include "mpc/ot/lock_step.h"

namespace tacit::mpc {

using PlannedTasks = std::shared_ptr<const std::vector<LockStep::PlannedTask>>;

struct PlannedRequest {
  PlannedTasks tasks;
  MadeCost cost;  // LockStep::cost of the tasks
};

PlannedRequest planned_request(const WordRequest& request, int parties, int rank, CorrelationsFrom from);
PlannedRequest planned_request(const BitRequest& request, int parties, int rank, CorrelationsFrom from);

// The tasks alone.
PlannedTasks planned_tasks(const WordRequest& request, int parties, int rank, CorrelationsFrom from);
PlannedTasks planned_tasks(const BitRequest& request, int parties, int rank, CorrelationsFrom from);

}  // namespace tacit::mpc
