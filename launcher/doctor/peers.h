// How this rank and the others reach each other: round trips, bandwidth, clocks, versions.
//
// Every rank calls it over the same mesh. Two ranks measure at a time; a pair costs 4 MiB and some round trips.
#pragma once

#include "launcher/doctor/finding.h"
#include "net/mesh.h"

namespace tacit::launcher {

struct PeerReport {
  int rank = 0;
  std::string where;               // "rank 2 (party, 10.0.0.3:4711)"
  std::string about;               // its version and machine, in its words
  double round_trip = 0;           // seconds, the shortest of some
  double sends = 0, receives = 0;  // bytes a second, from here and from there
  double clock_ahead = 0;          // seconds
};

// `about`: what the others are told of this one.
std::vector<PeerReport> examine_peers(net::Mesh& mesh, const std::string& about);

std::vector<Finding> findings_of(const std::vector<PeerReport>& peers, const std::string& about);

}  // namespace tacit::launcher
