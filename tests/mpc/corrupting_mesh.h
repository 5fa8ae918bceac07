// CorruptingMesh — damages one bit of one received message, as faulty memory would after the link
// has checked the message.
#pragma once

#include <atomic>

#include "net/wrapped_mesh.h"
#include "tests/net/meshes.h"

namespace tacit::net {

// Selects the message: the n-th that the rank receives from parties in steps of this name.
struct Corruption {
  int rank = 0;
  std::string step;
  int message = -1;               // counted from 0; -1 corrupts none
  std::atomic<int> received = 0;  // messages in such steps so far
};

// The corruption must outlive the meshes.
Meshes corrupting(Meshes meshes, Corruption& corruption);

}  // namespace tacit::net
