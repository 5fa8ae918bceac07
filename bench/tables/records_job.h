// The job of the tables about private training: each party owns whole records of two classes, and the network has 50
// hidden units.
#pragma once

#include "launcher/job/job.h"

namespace tacit::launcher {

// Trains without privacy. Reveals the model and the accuracy on test rows to everyone.
Job records_job(int parties);

// Adds DP-SGD with this noise, in units of the clip, and turns the range watch off.
void make_private(Job& job, double noise, double delta);

// The same in the mode "aggregate", which has no dealer.
void make_aggregate(Job& job, double noise, double delta);

}  // namespace tacit::launcher
