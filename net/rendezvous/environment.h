// Environment holds this process's rank and rank 0's address, from the same four variables that
// torchrun sets.
#pragma once

#include <functional>

#include "net/rendezvous/endpoint.h"
#include "net/world.h"

namespace tacit::net {

struct Environment {
  int rank = 0;        // RANK
  int world_size = 1;  // WORLD_SIZE: all processes, helpers included
  Endpoint master;     // MASTER_ADDR, MASTER_PORT; optional in a world of one
};

// Works like std::getenv: null for a variable that is not set. A caller can map another launcher's
// variable names here.
using GetVariable = std::function<const char*(const char*)>;

// Throws ConfigError, which contains the variable's name, its value, and the expected value.
Environment read_environment(const GetVariable& get);

}  // namespace tacit::net
