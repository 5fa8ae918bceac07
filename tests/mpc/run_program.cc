#include "tests/mpc/run_program.h"

#include <gtest/gtest.h>

#include <mutex>

#include "mpc/ahead/making_ahead.h"
#include "mpc/correlations/dealer_correlations.h"
#include "mpc/correlations/pairwise_correlations.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/inside.h"
#include "mpc/session/plan_session.h"
#include "tests/mpc/costs_by_part.h"

namespace tacit::mpc {

namespace {

std::int64_t sent_to_parties(const net::Traffic& traffic, int parties) {
  std::int64_t bytes = 0;
  for (int peer = 0; peer < parties; ++peer) bytes += traffic.peers[static_cast<std::size_t>(peer)].payload_sent;
  return bytes;
}

std::int64_t messages_to_parties(const net::Traffic& traffic, int parties) {
  std::int64_t messages = 0;
  for (int peer = 0; peer < parties; ++peer) messages += traffic.peers[static_cast<std::size_t>(peer)].messages_sent;
  return messages;
}

// Compares the planning session's forecast with the costs of the session that has just run. A
// planning session cannot know the outcomes of decisions.
void expect_planned(const Session& session, const Cost& cost, int parties, int rank, const Program& program,
                    const RunOptions& options) {
  if (!options.planned || !session.decisions().empty()) return;
  PlanSession plan(parties, parties, rank, net::AllReducePlan({{0, options.openings}}), options.from);
  program(plan, parties);  // as a rank without data
  EXPECT_EQ(plan.stated() + plan.making(), cost) << "as planned for rank " << rank;
  EXPECT_EQ(plan.stated(), session.stated()) << "as planned for rank " << rank;
  EXPECT_EQ(costs_by_part(plan.profile()), costs_by_part(session.profile())) << "as planned for rank " << rank;
}

Cost sum(const std::vector<ProtocolCost>& costs) {
  Cost all;
  for (const ProtocolCost& one : costs) all += one.cost;
  return all;
}

}  // namespace

void run_parties(int parties, const Program& program, const RunOptions& options) {
  std::mutex mutex;
  Cost stated, dealt;
  CorrelationSource source = options.source;
  if (options.from == CorrelationsFrom::kParties) source = pairwise_correlations;
  const int dealers = source || is_ahead(options.from) ? 0 : 1;
  net::run_ranks(net::mesh_kind(options.mesh).make(parties, dealers), [&](net::Mesh& mesh) {
    CorrelationSource source_of_rank = source ? source : from_the_dealer;
    if (!mesh.world().is_party()) {
      DealerSession session(mesh, options.session);
      const net::Traffic before = mesh.traffic();
      program(session, mesh.rank());
      session.flush();
      const net::Traffic moved = mesh.traffic() - before;
      const std::lock_guard lock(mutex);
      dealt.dealt_bytes = sent_to_parties(moved, parties);
      dealt.dealt_messages = messages_to_parties(moved, parties);
      return;
    }
    std::optional<MakingAhead> maker;
    if (is_ahead(options.from)) source_of_rank = maker.emplace(mesh, options.session, options.from).source();
    PartySession session(mesh, net::AllReducePlan({{0, options.openings}}), options.session, source_of_rank);
    const net::Traffic before = mesh.traffic();
    if (maker) {
      maker->run([&](Session& ahead) { program(ahead, parties); }, [&] { program(session, mesh.rank()); });
    } else {
      program(session, mesh.rank());
    }
    const net::Traffic moved = mesh.traffic() - before;
    const MadeCost start = maker ? maker->start() : MadeCost();
    const Cost cost = maker ? session.stated() + maker->beside_stated(session.stated()) : session.stated();
    EXPECT_EQ(moved.rounds, cost.rounds + start.rounds) << "rounds at rank " << mesh.rank();
    EXPECT_EQ(sent_to_parties(moved, parties), cost.bytes + start.bytes) << "bytes of rank " << mesh.rank();
    EXPECT_EQ(messages_to_parties(moved, parties), cost.messages + start.messages)
        << "messages of rank " << mesh.rank();
    expect_planned(session, cost, parties, mesh.rank(), program, options);
    EXPECT_EQ(sum(session.stated_by_protocol()), session.stated()) << "by protocol at rank " << mesh.rank();
    EXPECT_EQ(session.profile().cost(), session.stated()) << "by part at rank " << mesh.rank();
    if (mesh.rank() != 0) return;
    const std::lock_guard lock(mutex);
    stated = session.stated();
  });
  if (dealers == 0) return;
  EXPECT_EQ(dealt.dealt_bytes, stated.dealt_bytes) << "bytes dealt";
  EXPECT_EQ(dealt.dealt_messages, stated.dealt_messages) << "messages dealt";
}

Matrix revealed_by_parties(int parties, const Function& function, const RunOptions& options) {
  std::mutex mutex;
  std::vector<Matrix> seen;
  run_parties(
      parties,
      [&](Session& session, int rank) {
        const Public result = reveal(session, function(session), To::everyone(), "the result of a test");
        if (rank >= parties) return;
        const std::lock_guard lock(mutex);
        seen.push_back(value_of(result));
      },
      options);
  for (const Matrix& other : seen) EXPECT_EQ(other, seen.front()) << "parties saw different results";
  return seen.front();
}

Matrix revealed_in_the_clear(const Function& function, std::uint64_t seed) {
  ClearSession session(8, seed);
  return value_of(reveal(session, function(session), To::everyone(), "the result of a test"));
}

const Matrix& value_of(const Public& value) { return Inside::value(value); }

}  // namespace tacit::mpc
