// await_objection — ends a rendezvous for a reason of this rank's own that has nothing to do with it: its user has
// interrupted it, or its data cannot be read.
#pragma once

#include "net/rendezvous/loop.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

// Beside the main coroutine, until that has ended. Throws what RendezvousOptions::objection gives.
Task await_objection(Loop& loop, const Setting& setting);

}  // namespace tacit::net
