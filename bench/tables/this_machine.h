// The machine of a measurement: processor, cores, memory, system; version and commit of Tacit.
#pragma once

#include "launcher/json.h"

namespace tacit::launcher {

Json this_machine();

}  // namespace tacit::launcher
