// tell_all exchanges a few bytes among all ranks, helpers included, before they begin.
#pragma once

#include <span>

#include "net/mesh.h"

namespace tacit::net {

// all[r] is the message of rank r, of the same size at every rank. This rank sends its own entry
// and receives the others. One round.
void tell_all(Mesh& mesh, std::span<const Bytes> all);

}  // namespace tacit::net
