// Replayed mesh — the mesh of one rank that runs without its peers. The rank receives the messages of a recorded run.
//
// A rank's time in such a run is its own: no peer shares its cores, and it never waits. The rank repeats the recorded
// run only if it draws the same randomness (with_fixed_randomness in tests/mpc/wire_trace.h).
#pragma once

#include <memory>
#include <span>

#include "tests/mpc/recording_mesh.h"

namespace tacit::net {

// `recorded` has every message that was sent to `rank`, and must outlive the mesh. A sent message is done at once,
// and goes nowhere. If a message has another length than the receiver expects, or was never sent, the receiver throws
// ProtocolError. The time of copying messages to the receiver is added to `copying`, which must outlive the mesh: a network
// brings the bytes without the computing thread.
std::unique_ptr<Mesh> replayed(std::span<const SentMessage> recorded, const World& world, Clock::duration& copying);

}  // namespace tacit::net
