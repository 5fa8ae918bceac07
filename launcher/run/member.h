// Member — who this process is among the ranks of a job, and how it proves it.
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
  // All ranks of the job where rank 0 is at a loopback address, otherwise this one.
  int ranks_here() const { return is_this_machine(seat.master_host.value) ? world.size() : 1; }
};

// What the job says of the seat.
SeatInJob seat_in(const ReadJob& job);

// From the job, the flags and the environment. Throws ConfigError: nobody says which rank this is, the key is another
// rank's, there is no roster, or the job does not name what it must where ranks run on different machines.
Member find_member(const ReadJob& job, const SeatFlags& flags, const net::GetVariable& get);

// Waits for the other ranks. `start` is what they do with earlier checkpoints, `link` what is emulated between them;
// all must say the same, and all must be of the same build (launcher/job/build_agreement.h). Throws ConfigError for a
// link between ranks that are not on this machine.
std::unique_ptr<net::Mesh> join(const Member& member, const Job& job, const std::string& start,
                                const std::optional<Link>& link, net::RendezvousOptions options,
                                const net::TcpMeshOptions& mesh_options = {});

}  // namespace tacit::launcher
