// Environment — who this process is and where rank 0 listens, from the four variables that torchrun users know.
#pragma once

#include <functional>

#include "net/rendezvous/endpoint.h"
#include "net/world.h"

namespace tacit::net {

struct Environment {
  int rank = 0;        // RANK
  int world_size = 1;  // WORLD_SIZE: all processes, helpers included
  Endpoint master;     // MASTER_ADDR, MASTER_PORT; may be left out in a world of one
};

// As std::getenv: null for a variable that is not set. Another launcher's names can be answered here too.
using GetVariable = std::function<const char*(const char*)>;

// Throws ConfigError, which names the variable, its value, and what was expected.
Environment read_environment(const GetVariable& get);

}  // namespace tacit::net
