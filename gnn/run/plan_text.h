// A job's plans as text, a setting to the line: equal plans have equal texts, and others do not. For ranks to compare,
// and for checkpoints to name the job that they are of.
#pragma once

#include <string>

#include "gnn/train/data_plan.h"
#include "gnn/train/training_plan.h"

namespace tacit::gnn {

std::string to_text(const DataPlan& plan);
std::string to_text(const TrainingPlan& plan);

// The first line in which two texts differ, of both; empty where they are equal.
std::string first_difference(const std::string& own, const std::string& other);

}  // namespace tacit::gnn
