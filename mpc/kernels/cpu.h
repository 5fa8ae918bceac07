// The instruction sets of net/cpu.h, by their names in this layer.
#pragma once

#include "net/cpu.h"

namespace tacit::mpc {

using net::available_instructions;
using net::best_instructions;
using net::Instructions;
using net::name;

}  // namespace tacit::mpc
