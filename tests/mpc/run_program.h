// Runs one program at every rank: n parties and a dealer, each on a thread of its own, over a mesh of any kind.
//
// Every run checks on the way that what was measured is what the protocols stated: rounds, bytes and messages at every
// party, and what the dealer dealt; and that it was planned.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpc/session/clear_session.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {

// The rank's number is for input: who owns what. It is -1 in the clear session.
using Program = std::function<void(Session& session, int rank)>;

struct RunOptions {
  std::string mesh = "Memory";  // Memory, Tcp, Tls, …: as in tests/net/meshes.h
  SessionOptions session = {};
  net::AllReduce openings = net::AllReduce::kDirect;
  CorrelationSource source = {};  // none: a dealer, on a rank of its own; else there is no dealer
  bool planned = true;  // hold a session that computes nothing to what was stated, too: not if contents are looked at
};

void run_parties(int parties, const Program& program, const RunOptions& options = {});

// A program that ends with one matrix revealed to everybody: what the parties saw, which is checked to be the same.
using Function = std::function<Share(Session& session)>;
Matrix revealed_by_parties(int parties, const Function& function, const RunOptions& options = {});
Matrix revealed_in_the_clear(const Function& function, std::uint64_t seed = 1);

// The value itself, for tests.
const Matrix& value_of(const Public& value);

}  // namespace tacit::mpc
