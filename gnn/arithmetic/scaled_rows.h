// Rows of a share, each times a number of its own, and what a product leaves brought back to the top ring.
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// Every row times the number at its place in a column: the fraction bits of both. One round.
mpc::Share scaled_rows(mpc::Session& session, const mpc::Share& x, const mpc::Masked& column);
// One round more.
mpc::Share scaled_rows(mpc::Session& session, const mpc::Share& x, const mpc::Share& column);

// |x| <= bound, with the fraction bits of the top format; opened in the narrowest ring that shows it. One round.
mpc::Share in_top_ring(Arithmetic& arithmetic, const mpc::Share& x, double bound);

}  // namespace tacit::gnn
