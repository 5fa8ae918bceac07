// look_up — reads a lookup table: [f(x)] from <x>, for a function of one variable that is cut into cells,
// and [f(x)·y] for each <y>.
//
// f(x) is a sum of public weights times entries of one row of a table. Delta's cell selects the row, and
// the table depends on lambda alone (see cell_table.h). The dealer deals the whole table, rotated by
// lambda, and a party uses one row. With y = Dy - ly, f(x)·y is the same sum over Dy·B - ly·B, where the
// dealer deals ly·B beside B.
//
// Requires    x in the domain of the table; the results are in Z_2^w (f(x)·y: or in y's ring, if narrower)
// Error       the table's fit, and half a unit each of every weight and entry. Without a dealer, the entries of tables of cells have
//             the errors that made/look_up.h states, which grow with the number of parties
// Reveals     nothing, since no value is opened
// Rounds      0
// Sends       nothing
// Consumes    the table: cells·terms·w bits an element are dealt, and as many again for each y
// Secure      against n-1 passive parties: dealt shares are uniform except for their sums; the dealer
//             must not collude
// Papers      Ishai and others, TCC 2013 (dealt truth tables, rotated by the mask; here with arithmetic
//             results, and cells of polynomials keep a table short). Damgård and others, TinyTable, CRYPTO
//             2017 (the same for gates; here with passive security and any number of parties)
#pragma once

#include <span>
#include <vector>

#include "mpc/protocols/cell_table.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// f(x) first, then f(x)·y for each factor y. The clear session draws one uniform lambda for each
// element, as the parties do, so that the error of the table's fit has the same distribution.
std::vector<Share> look_up(Session& session, const Masked& x, const CellTable& table, int ring_bits,
                           std::span<const Masked> factors = {});

}  // namespace tacit::mpc
