// mesh_traitor — a rank with a valid key that joins correctly and then breaks the rules of the
// connection.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "net/connect.h"
#include "net/error.h"
#include "net/rendezvous/rendezvous.h"
#include "net/tcp/frame.h"
#include "tests/net/party_flags.h"
#include "tests/net/streams.h"

namespace tacit::net {
namespace {

void send_all(Wire& wire, ConstBytes bytes) {
  while (!bytes.empty() || !wire.outbox_empty()) {
    bytes = bytes.subspan(static_cast<std::size_t>(wire.write(bytes)));
    if (wire.flush() && bytes.empty()) return;
    pollfd writable{wire.socket(), POLLOUT, 0};
    poll(&writable, 1, 100);
  }
}

// The peer is at work once it sends a message.
void wait_for_first_word(Wire& wire) {
  std::byte first{};
  while (wire.read(Bytes(&first, 1)) == 0) {
    pollfd readable{wire.socket(), POLLIN, 0};
    poll(&readable, 1, 100);
  }
}

void send_header(Wire& wire, const FrameHeader& header) { send_all(wire, ConstBytes(encode(header))); }

// The message that its peer waits for, without its last bytes.
void send_part_of_a_frame(Wire& wire, std::int64_t expected_bytes) {
  send_header(wire, {FrameKind::kData, kMainStream, expected_bytes, 0, 0, expected_bytes});
  send_all(wire, ConstBytes(std::vector<std::byte>(static_cast<std::size_t>(expected_bytes / 2))));
}

// Unrequested messages, one after the other, without end.
void send_flood(Wire& wire) {
  const std::vector<std::byte> body(static_cast<std::size_t>(kFrameBytes));
  for (std::uint64_t number = 0;; ++number) {
    send_header(wire, {FrameKind::kData, kOtherStream, kFrameBytes, number, 0, kFrameBytes});
    send_all(wire, body);
  }
}

void send_garbage(Wire& wire) { send_all(wire, ConstBytes(std::vector<std::byte>(4096, std::byte{0xa5}))); }

// The beginning of a message of 2^62 bytes.
void send_oversized_frame(Wire& wire) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  send_header(wire, {FrameKind::kData, kMainStream, kFrameBytes, 0, 0, kHuge});
}

void betray(Wire& wire, const std::string& misdeed, std::int64_t expected_bytes) {
  if (misdeed == "garbage") return send_garbage(wire);
  if (misdeed == "oversized-frame") return send_oversized_frame(wire);
  if (misdeed == "flood") return send_flood(wire);
  if (misdeed == "stalled-frame") return send_part_of_a_frame(wire, expected_bytes);
  if (misdeed == "truncated-frame") {
    send_part_of_a_frame(wire, expected_bytes);
    shutdown(wire.socket(), SHUT_RDWR);
    return;
  }
  if (misdeed == "half-close") {
    shutdown(wire.socket(), SHUT_WR);
    return;
  }
  throw ConfigError("mesh_traitor knows no --misdeed " + misdeed);
}

// Stays alive, so that the others notice the misdeed and not the end of this process.
void stay_until_killed() {
  while (true) pause();
}

}  // namespace
}  // namespace tacit::net

int main(int argc, char** argv) {
  using namespace tacit::net;
  try {
    PartyFlags flags = read_party_flags(argc, argv);
    const Identity identity = Identity::load(flags.key);
    const Roster roster = Roster::load(flags.roster);
    agree_on_keys(flags.rendezvous.agreement, roster);  // like connect_mesh()
    const Formation formation = rendezvous(flags.rendezvous, identity, roster);
    std::puts("standing");
    std::fflush(stdout);
    for (const std::unique_ptr<Wire>& wire : formation.links) {
      if (wire == nullptr) continue;  // this rank
      wait_for_first_word(*wire);
      betray(*wire, flags.misdeed, flags.bytes);
    }
    stay_until_killed();
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "mesh_traitor");
  }
}
