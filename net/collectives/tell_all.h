// tell_all exchanges a few bytes among all ranks, helpers included, before they begin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/mesh.h"

namespace tacit::net {

// all[r] is the message of rank r, of the same size at every rank. This rank sends its own entry
// and receives the others. One round.
void tell_all(Mesh& mesh, std::span<const Bytes> all);

// The same for a list of numbers, which has one length at every rank. Entry r of the result is the
// list of rank r. A number travels as 8 bytes, two's complement, little-endian.
std::vector<std::vector<std::int64_t>> tell_numbers(Mesh& mesh, std::span<const std::int64_t> own);

}  // namespace tacit::net
