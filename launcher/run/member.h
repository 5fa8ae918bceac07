// Member — this process' rank in a job, with the identity that proves the rank.
#pragma once

#include <memory>
#include <optional>

#include "launcher/job/read_job.h"
#include "launcher/settings/link.h"
#include "launcher/settings/seat.h"
#include "net/connect.h"

namespace tacit::launcher {

struct Member {
  Seat seat;
  net::World world;
  net::Identity identity;
  net::Roster roster;

  int rank() const { return world.rank; }
  bool is_party() const { return world.is_party(); }
  // All ranks of the job if rank 0 has a loopback address, otherwise this one.
  int ranks_here() const { return is_this_machine(seat.master_host.value) ? world.size() : 1; }
};

// The job's settings that concern the seat.
SeatInJob seat_in(const ReadJob& job);

// Finds the member from the job, the flags and the environment. Throws ConfigError if no source
// states the rank, the key belongs to another rank, the roster is missing, or ranks run on
// different machines and the job leaves a required setting to its default.
Member find_member(const ReadJob& job, const SeatFlags& flags, const net::GetVariable& get);

// Waits for the other ranks. `start` states how the ranks treat earlier checkpoints, and `link` the
// emulated link between them. All ranks must state the same values and have the same build
// (launcher/job/build_agreement.h). Throws ConfigError for a link between ranks on different
// machines.
std::unique_ptr<net::Mesh> join(const Member& member, const Job& job, const std::string& start,
                                const std::optional<Link>& link, net::RendezvousOptions options,
                                const net::TcpMeshOptions& mesh_options = {});

}  // namespace tacit::launcher
