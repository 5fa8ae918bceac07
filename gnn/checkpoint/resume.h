// agree_on_checkpoint — chooses, before a session begins, the checkpoint from which all parties
// resume.
//
// Every party announces the checkpoints that it holds, by nonce and epoch, to the other parties.
// The parties choose rank 0's newest checkpoint that all parties hold. Rank 0 sends its epoch and
// layout to the dealer, so that the dealer runs the same program. The layout has shapes and
// formats, which the dealer sees anyway.
//
// If the parties hold no checkpoint in common, a new run would lose the checkpoints of some
// parties, and would reveal values again. One such loss is accepted: a session that ends while the
// parties write the first checkpoint of a run leaves this checkpoint at some parties only. Every
// later checkpoint was written after all parties had written the one before it. If the earlier one
// is missing, the users must decide, and the call refuses. The call also refuses if a party has kept
// a checkpoint and can use none now, because the files are damaged or were removed.
//
// Reveals     to the parties: the checkpoints that each party holds, and the newest epoch that it
//             has kept;
//             to the dealer: the epoch and layout of the chosen checkpoint; without one, whether the
//             parties refuse, pass over a first checkpoint, or hold none
// Rounds      1 among the parties
// Sends       2568 bytes to each party; rank 0 to the dealer 8 bytes and the layout
#pragma once

#include <functional>

#include "gnn/checkpoint/checkpoint_store.h"
#include "net/mesh.h"

namespace tacit::gnn {

// The decision if the parties hold no checkpoint in common; the same at every rank.
enum class IfNone { kRefuse, kStartAfresh };

// Every rank of the mesh calls it; the dealer holds nothing. `held`: newest first, as
// CheckpointStore::find() returns them. `every`: epochs between two checkpoints. `saved`: epoch of
// the newest checkpoint that this party kept; 0: none. Throws ConfigError at every rank if there is
// no common checkpoint and either `if_none` requires one, or a party holds one of a later epoch
// than `every`, or a party has kept one and can use none. `note` is called with a sentence if the
// first checkpoint of a run is passed over.
std::optional<ResumePoint> agree_on_checkpoint(net::Mesh& mesh, std::span<const ResumePoint> held, IfNone if_none,
                                               std::int64_t every,
                                               const std::function<void(const std::string&)>& note = {},
                                               std::int64_t saved = 0);

}  // namespace tacit::gnn
