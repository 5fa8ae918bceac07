// await_objection ends a rendezvous because this rank cannot take part: for example, the user has
// interrupted it, or its data is unreadable.
#pragma once

#include "net/rendezvous/loop.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

// Runs beside the main coroutine until the loop stops. Throws the exception that
// RendezvousOptions::objection returns.
Task await_objection(Loop& loop, const Setting& setting);

}  // namespace tacit::net
