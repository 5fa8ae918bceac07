// Rows of masks in the order that their owner knows, and products with a column of masks (RouteRequest): a switching network whose
// switches the owner sets.
//
// The parties hold shares of the rows. A switch with the owner's bit b and the rows u and v leaves u + b(v - u) and v - b(v - u): one
// product of the bit with the difference of the rows, of which every party but the owner sends its share. The owner's own share stays
// with it. The bits of all switches are bound at once.
//
// The rounds follow one another, although the other parties' shares do not depend on what they receive: a call of BitTimesWord for
// several layers could send all layers at once.
//
// For N rows of h columns, there are S = N·log2 N - N/2 switches (exactly for N a power of 2; switching_network.h for others).
//
// Rounds      1 to bind, and one for each layer of the network: 2·ceil(log2 N) - 1; with kappa, 3 more for any N
// Sends       every other party, to the owner: S·h words of k bits. The owner, to every other party: S bound bits. With kappa, all
//             parties: h·k(k+1)/2 bits a row to each peer, and k bound bits. For 13,264 rows of 16 words of 38 bits: 0.52 kbit a word
//             for each other party, and 1.6 kbit a word and pair more with kappa
// Papers      Huang, Evans, Katz, NDSS 2012 (switching networks for private orders); Mohassel and Sadeghian, EUROCRYPT 2013
//             (evaluated by oblivious transfers on additive shares, here of words)
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const RouteRequest& request);

}  // namespace tacit::mpc
