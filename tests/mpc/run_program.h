// Runs one program at every rank: n parties and a dealer, each on its own thread, over a mesh of
// any kind.
//
// Every run also checks that the measured costs equal the costs that the protocols stated (rounds,
// bytes and messages at every party, and the dealer's correlations), and that a planning session
// forecast them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpc/session/clear_session.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {

// The rank's number decides which inputs it owns. It is -1 in the clear session.
using Program = std::function<void(Session& session, int rank)>;

struct RunOptions {
  std::string mesh = "Memory";  // Memory, Tcp, Tls, …: the kinds of tests/net/meshes.h
  SessionOptions session = {};
  net::AllReduce openings = net::AllReduce::kDirect;
  CorrelationSource source = {};  // empty: a dealer runs on its own rank; otherwise there is no dealer
  // Without a source. Ahead: the program runs a second time at each party, as a rank without data.
  CorrelationsFrom from = CorrelationsFrom::kDealer;
  bool planned = true;  // also compare with a planning session; false for programs that look at contents
};

void run_parties(int parties, const Program& program, const RunOptions& options = {});

// Runs a program that ends with one matrix revealed to everybody. Returns the parties' result,
// after checking that all parties saw the same.
using Function = std::function<Share(Session& session)>;
Matrix revealed_by_parties(int parties, const Function& function, const RunOptions& options = {});
Matrix revealed_in_the_clear(const Function& function, std::uint64_t seed = 1);

// The value itself, for tests.
const Matrix& value_of(const Public& value);

}  // namespace tacit::mpc
