// Everybody tells everybody a few bytes: for what all ranks must know of each other before they begin.
#pragma once

#include <span>

#include "net/mesh.h"

namespace tacit::net {

// all[r] is rank r's, of the same size at every rank; our own is sent, the others' are received. Helpers take part. One
// round.
void tell_all(Mesh& mesh, std::span<const Bytes> all);

}  // namespace tacit::net
