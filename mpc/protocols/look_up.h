// look_up — [f(x)] from <x>, for any function of one variable that is cut into cells; and [f(x)·y] for each <y>.
//
// f(x) is a sum of public weights times entries of the row of a table that Delta's cell picks, and the table follows
// from lambda alone (see cell_table.h): the dealer deals it whole, rotated by lambda, and a party uses one row. With
// y = Dy - ly, f(x)·y is the same sum over Dy·B - ly·B, where the dealer deals ly·B beside B.
//
// Requires    x in the domain of the table; the results are in Z_2^w (f(x)·y: or in y's ring, if that is narrower)
// Error       the table's fit, and half a unit each of every weight and entry
// Reveals     nothing: nothing is opened
// Rounds      0
// Sends       nothing
// Consumes    the table: cells·terms·w bits an element are dealt, and as many again for each y
// Secure      against n-1 passive parties: dealt shares are uniform but for their sums; the dealer must not collude
#pragma once

#include <span>
#include <vector>

#include "mpc/protocols/cell_table.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// f(x) first, then f(x)·y for each factor y. In the clear session the error of the table's fit is that of one uniform
// lambda for each element, as it is at the parties.
std::vector<Share> look_up(Session& session, const Masked& x, const CellTable& table, int ring_bits,
                           std::span<const Masked> factors = {});

}  // namespace tacit::mpc
