#include "python/bindings/party_mesh.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "mpc/random/pairwise_masking.h"
#include "net/collectives/all_reduce_plan.h"
#include "net/collectives/collectives.h"
#include "net/connect.h"
#include "net/protected_memory.h"
#include "net/rendezvous/environment.h"

namespace tacit::python {

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(std::llround(1e3 * seconds));
}

net::Bytes bytes_of(std::string& text) { return std::as_writable_bytes(std::span(text.data(), text.size())); }

}  // namespace

PartyMesh::PartyMesh(std::unique_ptr<net::Mesh> mesh, std::shared_ptr<Views> views, Crew::Poll poll)
    : views_(std::move(views)),
      mesh_(views_ ? recorded(std::move(mesh), *views_) : std::move(mesh)),
      poll_(std::move(poll)),
      group_(std::make_shared<net::Group>(*mesh_)) {}

PartyMesh::~PartyMesh() { abort("the rank ended without closing its mesh"); }

std::unique_ptr<net::Mesh> PartyMesh::join(const JoinOptions& options, const Crew::Poll& poll) {
  net::protect_memory();  // before a key is read
  const net::Environment environment = net::read_environment([](const char* name) { return std::getenv(name); });
  const net::Identity identity = net::Identity::load(options.key);
  const net::Roster roster = net::Roster::load(options.roster);
  const net::World world = roster.world(environment.rank, environment.world_size);
  if (!world.is_party()) {
    throw ConfigError(
        fmt::format("rank {} is a dealer in {}; expected a party: tacit.net needs no dealer, so take it out "
                    "of the roster",
                    world.rank, options.roster));
  }
  net::RendezvousOptions rendezvous;
  rendezvous.rank = environment.rank;
  rendezvous.master = environment.master;
  rendezvous.deadline = milliseconds(options.deadline);
  rendezvous.objection = [&poll]() -> std::exception_ptr {
    try {
      poll();
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  };
  net::TcpMeshOptions mesh;
  mesh.patience = milliseconds(options.patience);
  return net::connect_mesh(rendezvous, mesh, identity, roster);
}

std::vector<SeenMessage> PartyMesh::view() const {
  if (!views_) throw ConfigError("view: this mesh keeps no messages; expected one of in_memory(parties, record=True)");
  return views_->of(rank());
}

void PartyMesh::run(const std::string& step, Task task) {
  const std::lock_guard lock(one_call_);
  if (!ended_.empty()) throw ConfigError(fmt::format("{}: the mesh has ended ({}); open another one", step, ended_));
  const auto work = [mesh = mesh_, step, task = std::move(task)](int) {
    mesh->set_step(step);
    task();
  };
  try {
    const Crew::Outcome outcome = crew_.run(work, poll_, [] {});
    if (outcome.first >= 0) std::rethrow_exception(outcome.errors.front());
  } catch (const Error&) {
    throw;
  } catch (...) {
    if (ended_.empty()) {
      ended_ = fmt::format("it was interrupted in the step \"{}\"", step);
      mesh_->abort(Exit::kNet, ended_, -1);
    }
    throw;
  }
}

std::vector<PartyMesh::Numbers> PartyMesh::exchange(const Numbers& own) {
  const auto all = std::make_shared<std::vector<Numbers>>(static_cast<std::size_t>(parties()), Numbers(own.size()));
  all->at(static_cast<std::size_t>(rank())) = own;
  run("compare calls", [all, group = group_] {
    std::vector<net::Bytes> bytes;
    for (Numbers& numbers : *all) bytes.push_back(std::as_writable_bytes(std::span(numbers)));
    net::all_gather(*group, bytes);
  });
  return *all;
}

PartyMesh::Numbers PartyMesh::sum(Numbers words, bool secure) {
  const std::lock_guard lock(one_call_);
  if (secure && !masking_) {
    const auto made = std::make_shared<std::unique_ptr<net::Masking>>();
    run("secure sum", [made, mesh = mesh_] { *made = mpc::pairwise_masking(*mesh); });
    masking_ = std::move(*made);
  }
  const auto own = std::make_shared<Numbers>(std::move(words));
  const std::shared_ptr<net::Masking> masking = secure ? masking_ : nullptr;
  run(secure ? "secure sum" : "all reduce", [own, masking, group = group_] {
    // Signed and unsigned words of one size may be read as each other.
    const std::span<std::uint64_t> all(reinterpret_cast<std::uint64_t*>(own->data()), own->size());
    if (masking) masking->mask(all);
    const net::Words tensor{all};
    net::all_reduce(*group, std::span(&tensor, 1), net::AllReducePlan::unmeasured(group->parties()));
  });
  return std::move(*own);
}

std::string PartyMesh::broadcast(std::string bytes, int root) {
  const auto own = std::make_shared<std::string>(std::move(bytes));
  run("broadcast", [own, root, group = group_] { net::broadcast(*group, root, bytes_of(*own)); });
  return std::move(*own);
}

std::vector<std::string> PartyMesh::gather(std::string own, const Numbers& sizes, int root) {
  const auto all = std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(parties()));
  for (int party = 0; party < parties() && rank() == root; ++party) {
    const auto at = static_cast<std::size_t>(party);
    all->at(at).resize(static_cast<std::size_t>(sizes.at(at)));
  }
  all->at(static_cast<std::size_t>(rank())) = std::move(own);
  run("gather", [all, root, group = group_] {
    std::vector<net::Bytes> bytes;
    for (std::string& one : *all) bytes.push_back(bytes_of(one));
    net::gather(*group, root, bytes);
  });
  if (rank() != root) return {};
  return std::move(*all);
}

std::shared_ptr<net::GradientSum> PartyMesh::gradient_sum(const std::vector<std::int64_t>& sizes,
                                                          net::SyncSettings settings) {
  const std::lock_guard lock(one_call_);
  if (next_gradient_stream_ == net::kFirstReservedStream) {
    throw ConfigError(
        fmt::format("gradients: a mesh carries {} sums of gradients, one after another; use one sum for many steps",
                    net::kFirstReservedStream - net::kGradientStream));
  }
  settings.stream = next_gradient_stream_++;
  const auto made = std::make_shared<std::shared_ptr<net::GradientSum>>();
  run("begin a sum of gradients", [made, mesh = mesh_, sizes, settings] {
    std::unique_ptr<net::Masking> masking;
    if (settings.way == net::SyncWay::kSecureSum) masking = mpc::pairwise_masking(*mesh);
    *made = std::make_shared<net::GradientSum>(*mesh, sizes, settings, std::move(masking));
  });
  return *made;
}

void PartyMesh::finish(const std::shared_ptr<net::GradientSum>& sum) {
  run("gradients", [sum] { sum->finish(); });
}

void PartyMesh::close() {
  const std::lock_guard lock(one_call_);
  if (!ended_.empty()) return crew_.stop();
  run("close", [mesh = mesh_] { mesh->close(); });
  ended_ = "it was closed";
  crew_.stop();
}

void PartyMesh::abort(const std::string& reason, Exit kind) {
  const std::lock_guard lock(one_call_);
  if (ended_.empty()) {
    ended_ = reason;
    mesh_->abort(kind, reason, -1);
  }
  crew_.stop();
}

}  // namespace tacit::python
