#include "python/bindings/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gnn/arithmetic/sharing.h"
#include "gnn/arithmetic/watched.h"
#include "mpc/correlations/dealer_correlations.h"
#include "mpc/correlations/pairwise_correlations.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "net/memory/memory_mesh.h"

namespace tacit::python {

namespace {

constexpr const char* kWatch = "range watch: has a value left its bound?";

// Payload that a rank has sent to the parties.
std::int64_t to_parties(const net::Traffic& traffic, int parties, std::int64_t net::PeerTraffic::*what) {
  std::int64_t sum = 0;
  for (int party = 0; party < parties; ++party) sum += traffic.peers[static_cast<std::size_t>(party)].*what;
  return sum;
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& thrown) {
    return thrown.what();
  } catch (...) {
    return "an unknown error";
  }
}

bool is_config_error(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const ConfigError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

double SimulationOptions::most_bound(int fraction_bits) {
  constexpr int kHeadBits = 2;  // of mpc::room_for()
  return std::ldexp(1.0, mpc::kWordBits - 2 * fraction_bits - mpc::RangeAudit::kOverBits - kHeadBits);
}

// One rank. The rank's own thread makes and uses the members. Other threads may read the mesh, as every mesh allows.
struct Simulation::Rank {
  int number = 0;
  std::unique_ptr<net::Mesh> mesh;
  net::Traffic before;
  std::unique_ptr<mpc::PartySession> party;
  std::unique_ptr<mpc::DealerSession> dealer;
  std::unique_ptr<gnn::Arithmetic> arithmetic;
  std::unique_ptr<mpc::RangeAudit> audit;

  mpc::Session& session() const {
    if (party) return *party;
    return *dealer;
  }
};

Simulation::Simulation(const SimulationOptions& options, Crew::Poll poll)
    : options_(options), poll_(std::move(poll)), views_(options.ranks()), crew_(options.ranks()) {
  std::vector<std::unique_ptr<net::Mesh>> meshes = net::memory_mesh(options.parties, options.ranks() - options.parties);
  for (int rank = 0; rank < size(); ++rank) {
    std::unique_ptr<net::Mesh>& mesh = meshes[static_cast<std::size_t>(rank)];
    if (options.record) mesh = recorded(std::move(mesh), views_);
    ranks_.push_back(std::make_shared<Rank>());
    ranks_.back()->number = rank;
    ranks_.back()->mesh = std::move(mesh);
  }
  run("begin", [options](Rank& rank) {
    if (rank.mesh->world().is_party()) {
      const auto plan = net::AllReducePlan::unmeasured(options.parties);
      rank.party = std::make_unique<mpc::PartySession>(
          *rank.mesh, plan, mpc::SessionOptions(),
          options.pairwise ? mpc::CorrelationSource(mpc::pairwise_correlations) : mpc::from_the_dealer);
    } else {
      rank.dealer = std::make_unique<mpc::DealerSession>(*rank.mesh);
    }
    rank.before = rank.mesh->traffic();
    const mpc::Format top{mpc::kWordBits, options.fraction_bits};
    rank.arithmetic = std::make_unique<gnn::Arithmetic>(rank.session(), top);
    rank.audit = std::make_unique<mpc::RangeAudit>(rank.session(), gnn::kWatchedGroups);
    rank.arithmetic->watch_with(rank.audit.get());
  });
  began_ = true;
}

Simulation::~Simulation() { stop("it was dropped"); }

void Simulation::stop(const std::string& why) {
  const std::lock_guard lock(one_command_);
  end(why);
  crew_.stop();
}

void Simulation::run(const std::string& step, const std::function<void(Rank& rank)>& command) {
  const std::lock_guard lock(one_command_);
  if (has_ended()) {
    throw ConfigError(
        fmt::format("{}: the simulation has ended ({}); open another one with tacit.mpc.simulate()", step, ended_));
  }
  // The task may outlive this call, if a signal ends it.
  const auto task = [ranks = ranks_, step, command](int member) {
    Rank& rank = *ranks[static_cast<std::size_t>(member)];
    rank.mesh->set_step(step);
    command(rank);
  };
  try {
    const Crew::Outcome outcome = crew_.run(task, poll_, [this] { abort("another rank failed"); });
    if (outcome.first >= 0) fail(outcome, step);
  } catch (const Error&) {
    throw;
  } catch (...) {
    if (!has_ended()) end(fmt::format("it was interrupted in the step \"{}\"", step));
    throw;
  }
}

// Every rank decides by public formats. If all refuse in the same words, no rank waits for another, and all go on.
void Simulation::fail(const Crew::Outcome& outcome, const std::string& step) {
  const std::exception_ptr& first = outcome.errors[static_cast<std::size_t>(outcome.first)];
  const bool agreed = std::all_of(outcome.errors.begin(), outcome.errors.end(), [&](const std::exception_ptr& error) {
    return error != nullptr && is_config_error(error) && message_of(error) == message_of(first);
  });
  if (!agreed) end(fmt::format("rank {} failed in the step \"{}\": {}", outcome.first, step, message_of(first)));
  std::rethrow_exception(first);
}

void Simulation::abort(const std::string& why) {
  for (const auto& rank : ranks_) rank->mesh->abort(Exit::kNet, why, -1);
}

void Simulation::end(const std::string& why) {
  if (has_ended()) return;
  last_cost_ = measured();
  ended_ = why;
  abort(why);
}

Shared Simulation::share(const mpc::Matrix& mine, int owner, double bound) {
  const mpc::Shape shape = mpc::shape_of(mine);
  // A copy: the task may outlive the caller's matrix.
  const auto own = std::make_shared<const mpc::Matrix>(mine);
  return compute("share", {}, [=](const Seat& seat, const std::vector<Held*>&) {
    return shared(seat, owner, shape, own.get(), bound);
  });
}

Shared Simulation::compute(const std::string& step, const Operands& operands, const Function& function) {
  const auto result = std::make_shared<SharedMatrix>();
  result->by_rank.resize(static_cast<std::size_t>(size()));
  run(step, [result, operands, function, bound = options_.bound](Rank& rank) {
    const auto at = static_cast<std::size_t>(rank.number);
    std::vector<Held*> own;
    for (const Shared& operand : operands) own.push_back(&operand->by_rank[at]);
    result->by_rank[at] = function(seat_of(*rank.arithmetic, *rank.audit, bound), own);
  });
  result->shape = result->by_rank.front().tensor.shape();
  return result;
}

// Values that no protocol has opened are right, even beyond their bound.
void Simulation::audit() {
  if (at(0).mesh->traffic().rounds == audited_rounds_) return;
  const auto clean = std::make_shared<bool>(true);
  run("range watch", [clean](Rank& rank) {
    const mpc::Public opened = rank.audit->open(kWatch);
    if (rank.number != 0) return;
    rank.session().output([&](const mpc::PublicReader& read) { *clean = mpc::RangeAudit::is_clean(read(opened)); });
  });
  audited_rounds_ = at(0).mesh->traffic().rounds;
  if (*clean) return;
  const std::string what = fmt::format("a value left the declared bound of {:g}", options_.bound);
  end(what);
  throw ConfigError(
      fmt::format("reveal: {}, so results may be wrong and nothing is revealed; declare a larger one with "
                  "simulate(bound=...), or scale the data",
                  what));
}

std::vector<mpc::Matrix> Simulation::reveal(const Operands& values, const std::string& reason, int to) {
  const std::lock_guard lock(one_command_);
  audit();
  struct Seen {
    std::vector<mpc::Matrix> matrices;
    std::vector<mpc::Reveal> account;
  };
  const auto seen = std::make_shared<Seen>();
  run("reveal", [seen, values, reason, to](Rank& rank) {
    for (const Shared& value : values) {
      const gnn::Tensor& own = value->by_rank[static_cast<std::size_t>(rank.number)].tensor;
      const mpc::Public opened = mpc::reveal(rank.session(), own.share(), {to}, reason);
      if (rank.number != std::max(to, 0)) continue;
      rank.session().output([&](const mpc::PublicReader& read) { seen->matrices.push_back(read(opened)); });
    }
    if (rank.number == 0) seen->account = rank.session().reveals();
  });
  audited_rounds_ = at(0).mesh->traffic().rounds;
  reveals_ = seen->account;
  return seen->matrices;
}

std::vector<mpc::Reveal> Simulation::reveals() const {
  const std::lock_guard lock(one_command_);
  return reveals_;
}

SimulationCost Simulation::measured() {
  SimulationCost cost;
  if (!began_) return cost;
  const int n = options_.parties;
  for (const auto& rank : ranks_) {
    const net::Traffic moved = rank->mesh->traffic() - rank->before;
    const std::int64_t bytes = to_parties(moved, n, &net::PeerTraffic::payload_sent);
    if (rank->number == n) {
      cost.dealt_bytes = bytes;
      continue;
    }
    cost.rounds = std::max(cost.rounds, moved.rounds);
    cost.bytes = std::max(cost.bytes, bytes);
    cost.messages = std::max(cost.messages, to_parties(moved, n, &net::PeerTraffic::messages_sent));
  }
  return cost;
}

SimulationCost Simulation::cost() {
  const std::lock_guard lock(one_command_);
  if (has_ended()) return last_cost_;
  const auto by_protocol = std::make_shared<std::vector<mpc::ProtocolCost>>();
  run("cost", [by_protocol](Rank& rank) {
    if (rank.number == 0) *by_protocol = rank.session().stated_by_protocol();
  });
  SimulationCost cost = measured();
  cost.by_protocol = *by_protocol;
  for (const mpc::ProtocolCost& one : cost.by_protocol) {
    cost.made_rounds += one.cost.made_rounds;
    cost.made_bytes += one.cost.made_bytes;
  }
  return cost;
}

void Simulation::close() {
  const std::lock_guard lock(one_command_);
  if (has_ended()) return crew_.stop();
  const SimulationCost cost = this->cost();
  run("close", [](Rank& rank) {
    mpc::compare_transcripts(rank.session());
    if (rank.dealer) rank.dealer->flush();
    rank.mesh->close();
  });
  last_cost_ = cost;
  ended_ = "it was closed";
  crew_.stop();
}

}  // namespace tacit::python
