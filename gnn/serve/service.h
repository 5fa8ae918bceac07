// serve — answers requests for predictions, from shares that are ready, until a rank ends it.
//
// The predictions of all nodes are computed once and kept as shares. A request opens rows of these shares to the rank that
// asks, and to no other. The same request opens the same shares again, in a later service as well.
//
// Each turn, for a batch of requests of one rank:
//   1. the asker sends the nodes to rank 0, unless it is rank 0
//   2. rank 0 sends them to the other parties
//   3. each party sends every other its objections (its limits and a byte for each request), and a digest of the asker and the
//      nodes. All digests must be equal, and the asker compares the nodes with its own requests
//   4. the parties open the rows of the granted requests to the asker (mpc/protocols/reveal.h); if they grant none, they
//      compare their transcripts (mpc/protocols/compare_transcripts.h)
// A request that any party refuses is not answered, and all parties know of the refusal before anything is opened. The
// messages of step 3 are part of the transcripts. If a party tells two others different objections, limits or times, step 4
// ends the service at all ranks, and nothing of the turn is opened.
//
// Reveals     to the asker: the predictions of the nodes that it names; to the parties: the asker, the nodes, each
//             party's limits and objections. The dealer learns nothing of a request
// Rounds      3 and 1 for each value that the plan reveals to the asker, or 1 if no request is granted; 2 instead of 3 if
//             rank 0 asks
// Sends       the asker to rank 0, and rank 0 to each other party: 32 bytes, and 8 for each request and each node;
//             each party to each other: 56 bytes and one for each request; and the reveals, or the tags of
//             the comparison
// Memory      8 bytes for each number: a node has one for each named class or target, and one for each probability
// Secure      as a reveal
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "gnn/serve/request_desk.h"
#include "gnn/serve/request_limits.h"
#include "gnn/serve/service_message.h"
#include "gnn/train/predictor.h"

namespace tacit::gnn {

// One turn as a party sees it, before any prediction is opened.
struct AskedTurn {
  int asker = 0;
  std::vector<Rows> requests;         // the nodes of each
  std::vector<int> refused_by;        // for each request the first rank that refuses it; -1: none
  std::vector<Objection> objections;  // the objection of that rank
};

struct ServiceOptions {
  RequestLimits limits{};                         // this party's
  std::chrono::milliseconds quiet{30'000};        // between two messages while no rank asks
  RequestDesk* desk = nullptr;                    // of this rank; required. It must outlive the call
  std::function<void()> on_open;                  // all is ready: the desk passes requests on
  std::function<void(const AskedTurn&)> on_turn;  // at parties
};

struct Served {
  std::int64_t turns = 0, requests = 0, refused = 0, nodes = 0;  // requests and nodes of answers
  mpc::Cost cost;           // this rank's messages in all turns, beside the session's cost
  int ended_by = 0;         // the rank that wanted the end
  std::int64_t reason = 0;  // as this rank gave it
};

// Every rank calls it, and returns when a rank has ended the service. Throws the mesh's failure after all waiting requests
// of the desk have its sentence. An error of this rank ends the service at all ranks.
Served serve(net::Mesh& mesh, mpc::Session& session, const TrainingPlan& plan, std::int64_t nodes, Predictor& predictor,
             const OncePerName& once, const ServiceOptions& options);

// The messages of steps 1 to 3 at one party; step 4 is part of the session's cost.
mpc::Cost cost_of_turn(const ServiceMessage& turn, int parties, int rank);

}  // namespace tacit::gnn
