// Checks of the links between this rank and the others: round trips, bandwidth, clocks, versions.
//
// Every rank calls examine_peers over the same mesh. Two ranks measure at a time; a pair costs 4
// MiB and some round trips.
#pragma once

#include "launcher/doctor/finding.h"
#include "net/mesh.h"

namespace tacit::launcher {

struct PeerReport {
  int rank = 0;
  std::string where;               // "rank 2 (party, 10.0.0.3:4711)"
  std::string about;               // the peer's version and machine, in its own words
  double round_trip = 0;           // seconds; the shortest of several
  double sends = 0, receives = 0;  // bytes a second, from this rank and from the peer
  double clock_ahead = 0;          // seconds
};

// `about`: this rank's description for the others.
std::vector<PeerReport> examine_peers(net::Mesh& mesh, const std::string& about);

std::vector<Finding> findings_of(const std::vector<PeerReport>& peers, const std::string& about);

}  // namespace tacit::launcher
