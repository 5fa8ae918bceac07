// check_privacy — what a job with the table [privacy], or with training.mode = "aggregate", must not ask for: values by which
// one record could be told although epsilon says that it cannot.
#pragma once

#include "gnn/plan/plans.h"

namespace tacit::gnn {

// Throws SettingError with the reason.
void check_privacy(const Plans& plans);

}  // namespace tacit::gnn
