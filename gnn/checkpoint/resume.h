// agree_on_checkpoint — which checkpoint all parties hold, before a session begins.
//
// Every party tells the other parties which (nonce, epoch) it holds: that of rank 0's newest which all hold is it. Rank
// 0 tells the dealer the epoch and the layout: shapes and formats, which the dealer would see anyway. So the dealer
// runs the same program.
//
// Where they have none in common, a new run would lose what some of them hold, and reveal again what was revealed. Only
// one loss is in order: who ended before all had written the first checkpoint of a run leaves it at some and not at
// others. Any later one was written after all had the one before it: that it is missing is for their users to hear.
// So is a checkpoint that a party kept and cannot use any more, where it can use none: damaged, or removed.
//
// Reveals     to the parties: moments that each of them holds; to the dealer: whether there is one, its epoch, its
//             layout; whether some party has one
// Rounds      1 among the parties
// Sends       2568 bytes to each party; rank 0 to the dealer 8 bytes and the layout
#pragma once

#include <functional>

#include "gnn/checkpoint/checkpoint_store.h"
#include "net/mesh.h"

namespace tacit::gnn {

// What to do if the parties hold none in common; the same at every rank.
enum class IfNone { kRefuse, kStartAfresh };

// Every rank of the mesh calls it, the dealer with nothing. `held`: newest first, as CheckpointStore::find() has them.
// `every`: epochs between two checkpoints. Throws ConfigError, at every rank, where there is none and there must be
// one, or where to start afresh would lose one of a later epoch than the first that is due, or one that a party kept.
// `note` hears a sentence where it passes over the first. `saved`: epoch of the newest that this party kept; 0: none.
std::optional<ResumePoint> agree_on_checkpoint(net::Mesh& mesh, std::span<const ResumePoint> held, IfNone if_none,
                                               std::int64_t every,
                                               const std::function<void(const std::string&)>& note = {},
                                               std::int64_t saved = 0);

}  // namespace tacit::gnn
