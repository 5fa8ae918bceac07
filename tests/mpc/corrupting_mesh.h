// A rank that gets one bit of one message wrong: as memory that is damaged, after the link was left.
#pragma once

#include <atomic>

#include "tests/mpc/wrapped_mesh.h"

namespace tacit::net {

// Which message: the n-th that the rank receives from parties in steps of this name.
struct Corruption {
  int rank = 0;
  std::string step;
  int message = -1;               // from 0; -1: none is corrupted
  std::atomic<int> received = 0;  // in such steps, so far
};

// The corruption must outlive the meshes.
Meshes corrupting(Meshes meshes, Corruption& corruption);

}  // namespace tacit::net
