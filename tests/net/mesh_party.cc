// mesh_party — one rank of a mesh, as a process: it exchanges messages with every other rank, step
// by step, and checks them. With --misdeed it fails the other ranks at step 3 as a faulty program
// does; mesh_traitor plays attacks.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "net/connect.h"
#include "net/error.h"
#include "tests/net/party_flags.h"

namespace tacit::net {
namespace {

constexpr std::int64_t kMisdeedStep = 3;
constexpr std::int64_t kBusyStep = 5;

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

std::byte expected_byte(int from, std::int64_t step) { return static_cast<std::byte>(from * 31 + step); }

// memcmp, because a loop over a large message is slow under a sanitizer.
bool is_all(const std::vector<std::byte>& bytes, std::byte value) {
  return bytes.empty() || (bytes[0] == value && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

// Every rank sends `bytes` bytes to every other rank and checks the bytes that it receives.
void exchange(Mesh& mesh, std::int64_t step, std::int64_t bytes) {
  const std::vector<std::byte> mine(static_cast<std::size_t>(bytes), expected_byte(mesh.rank(), step));
  std::vector<std::vector<std::byte>> theirs(static_cast<std::size_t>(mesh.size()));
  std::vector<Transfer> receives;
  std::vector<Transfer> sends;
  for (int peer = 0; peer < mesh.size(); ++peer) {
    if (peer == mesh.rank()) continue;
    auto& buffer = theirs[static_cast<std::size_t>(peer)];
    buffer.resize(static_cast<std::size_t>(bytes));
    receives.push_back(mesh.channel(peer).receive(kMainStream, Bytes(buffer)));
    sends.push_back(mesh.channel(peer).send(kMainStream, ConstBytes(mine)));
  }
  if (step == 1) say("sending");
  mesh.count_rounds(1);
  for (Transfer& receive : receives) receive.wait();
  for (Transfer& send : sends) send.wait();
  for (int peer = 0; peer < mesh.size(); ++peer) {
    if (!is_all(theirs[static_cast<std::size_t>(peer)], expected_byte(peer, step))) {
      throw ProtocolError(mesh.describe(peer) + " sent other bytes", peer);
    }
  }
}

void misbehave(Mesh& mesh, const std::string& misdeed) {
  if (misdeed == "leave") std::_Exit(0);  // like a crash: no goodbye
  if (misdeed == "goodbye") {
    mesh.close();
    std::_Exit(0);
  }
  if (misdeed == "give-up") throw ConfigError("the graph file cora.npz has no key \"x\"");
  if (misdeed == "short-message") return mesh.channel(0).post(kMainStream, ConstBytes{});
  throw ConfigError("--misdeed " + misdeed + " is none of leave, goodbye, give-up, short-message");
}

void run(Mesh& mesh, const PartyFlags& flags) {
  mesh.set_step("warming up");
  std::this_thread::sleep_for(flags.compute);
  for (std::int64_t step = 1; flags.steps == 0 || step <= flags.steps; ++step) {
    mesh.set_step(fmt::format("exchange {}", step));
    if (step == kMisdeedStep && !flags.misdeed.empty()) misbehave(mesh, flags.misdeed);
    exchange(mesh, step, flags.bytes);
    if (step == kBusyStep) say("busy");
  }
  std::this_thread::sleep_for(flags.settle);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const PeerTraffic total = mesh.traffic().total();
  say(fmt::format("traffic at {} us, packets {} {}", std::chrono::duration_cast<std::chrono::microseconds>(now).count(),
                  total.packets_sent, total.packets_received));
  mesh.set_step("closing");
  mesh.close();
  say("done");
}

// Sends the reason to the others, so that all name the same culprit.
void run_or_abort(Mesh& mesh, const PartyFlags& flags) {
  try {
    run(mesh, flags);
  } catch (const NetError& error) {
    mesh.abort(error.exit(), error.what(), error.culprit());
    throw;
  } catch (const ProtocolError& error) {
    mesh.abort(error.exit(), error.what(), error.culprit());
    throw;
  } catch (const std::exception& error) {
    mesh.abort(exit_of(error), error.what(), -1);
    throw;
  }
}

std::unique_ptr<Mesh> join(const PartyFlags& flags) {
  const Identity identity = Identity::load(flags.key);
  const Roster roster = Roster::load(flags.roster);
  roster.world(flags.rendezvous.rank, flags.world_size);  // throws if the ranks do not fit
  return connect_mesh(flags.rendezvous, flags.mesh, identity, roster);
}

}  // namespace
}  // namespace tacit::net

int main(int argc, char** argv) {
  try {
    const tacit::net::PartyFlags flags = tacit::net::read_party_flags(argc, argv);
    const auto mesh = tacit::net::join(flags);
    tacit::net::say("standing");
    tacit::net::run_or_abort(*mesh, flags);
    return 0;
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "mesh_party");
  }
}
