// The table "hours" of `tacit bench accuracy` compares a day of the sensor network, as snapshots of one graph
// (gnn/data/snapshots.h), with a single hour. It has the errors in the last hour, on shares and of the twin
// (plaintext reference), and the time of an epoch.
#pragma once

#include "bench/tables/accuracy.h"

namespace tacit::launcher {

void measure_hours(Measurements& made, Trials& trials, const AccuracyOptions& options, Console& console);

}  // namespace tacit::launcher
