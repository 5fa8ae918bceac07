// EmulatedMesh adds the latency and bandwidth of a link to any mesh, to measure wide-area runs on one
// machine.
//
// Bytes move over the inner mesh at once. Each piece carries the time at which it would arrive over
// the link, and the receiver waits until that time. The result does not depend on a scheduler, and
// the inner mesh's own time is hidden unless it is longer. All ranks must run on one machine, with
// a common clock, and must be given the same link.
#pragma once

#include <memory>

#include "net/memory/link_model.h"
#include "net/mesh.h"

namespace tacit::net {

std::unique_ptr<Mesh> emulate_link(std::unique_ptr<Mesh> inner, const Link& link);

}  // namespace tacit::net
