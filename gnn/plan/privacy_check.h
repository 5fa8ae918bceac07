// check_privacy — refuses settings of a job with the table [privacy], or with training.mode = "aggregate", that would reveal
// values that depend on one record by more than epsilon says.
#pragma once

#include "gnn/plan/plans.h"

namespace tacit::gnn {

// Throws SettingError with the reason.
void check_privacy(const Plans& plans);

}  // namespace tacit::gnn
