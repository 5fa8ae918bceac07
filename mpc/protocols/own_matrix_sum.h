// own_matrix_sum — matrices of several owners times one share, added up: [(S_0 + S_1 + …)·x].
//
// own_matrix.h describes a product. No product waits for another: a party makes the messages for all other owners from its share
// of x, sends them, and receives those for its own matrix in the same round. The parties add up their shares of the results.
//
// Requires    matrices of one shape and with as many fraction bits, each of another owner; (S_0 + S_1 + …)·x fits the ring of x
// Reveals     nothing; the owners, the shape, and the bound E_p of each owner's entries are public
// Rounds      1
// Sends       for each owner p, every other party sends it 3·N_p·h words of k bits, for h columns and N_p = max(rows, cols) + E_p
// Consumes    for each owner, (3·N_p + rows)·h words of k bits are dealt
// Secure      against n-1 passive parties, as each product is: all masks are fresh for each owner. A sum is local
#pragma once

#include <span>

#include "mpc/protocols/own_matrix.h"

namespace tacit::mpc {

// At least one matrix.
Share sum_of_products(Session& session, std::span<const OwnMatrix> matrices, const Share& x);

}  // namespace tacit::mpc
