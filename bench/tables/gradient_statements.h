// The document on synchronising gradients says in words how its ways compare. Each sentence gets a verdict here, from our
// measurements alone: no verdict is written by hand.
#pragma once

#include "bench/tables/measurements.h"

namespace tacit::launcher {

// Adds the table "said in the document": a row for each sentence for which trainings were run.
void add_gradient_statements(Measurements& measured);

}  // namespace tacit::launcher
