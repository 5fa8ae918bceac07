// agree_on_checkpoint — which checkpoint all parties hold, before a session begins.
//
// Every party tells the other parties which (nonce, epoch) it holds: that of rank 0's newest which all hold is it. Rank
// 0 tells the dealer the epoch and the layout: shapes and formats, which the dealer would see anyway. So the dealer
// runs the same program.
//
// Reveals     to the parties: moments that each of them holds; to the dealer: whether there is one, its epoch, its
// layout Rounds      1 among the parties Sends       2560 bytes to each party; rank 0 to the dealer 8 bytes and the
// layout
#pragma once

#include "gnn/checkpoint/checkpoint_store.h"
#include "net/mesh.h"

namespace tacit::gnn {

// What to do if the parties hold none in common; the same at every rank.
enum class IfNone { kRefuse, kStartAfresh };

// Every rank of the mesh calls it, the dealer with nothing. `held`: newest first, as CheckpointStore::find() has them.
// Throws ConfigError, at every rank, where there is none and there must be one.
std::optional<ResumePoint> agree_on_checkpoint(net::Mesh& mesh, std::span<const ResumePoint> held, IfNone if_none);

}  // namespace tacit::gnn
