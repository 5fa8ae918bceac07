// EmulatedMesh — any mesh, with the latency and bandwidth of a link that it does not have: for measuring wide-area runs
// on one machine.
//
// Bytes move over the inner mesh at once, each piece stamped with the time at which it would arrive; its receiver waits
// until then. So nothing depends on a scheduler, and the inner mesh's own time is hidden unless it is longer. The
// clocks of both ends must be one: ranks run on one machine. All ranks are given the same link.
#pragma once

#include <memory>

#include "net/memory/link_model.h"
#include "net/mesh.h"

namespace tacit::net {

std::unique_ptr<Mesh> emulate_link(std::unique_ptr<Mesh> inner, const Link& link);

}  // namespace tacit::net
