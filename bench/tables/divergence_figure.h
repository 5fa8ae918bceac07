// The map of `tacit bench divergence`: a cell for each learning rate and number of parties.
#pragma once

#include "bench/tables/measurements.h"
#include "launcher/report/cell_figure.h"

namespace tacit::launcher {

// A cell of several seeds has the kind that agrees least with the twin. Without a table "trainings", no cells.
CellFigure divergence_figure(const Measurements& measured);

}  // namespace tacit::launcher
