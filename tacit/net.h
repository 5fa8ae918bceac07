// The public headers of the layer net: connecting ranks over TLS, meshes, and sums over parties.
// docs/api.md says what each header is for.
#pragma once

// Ranks, keys and connections.
#include "net/connect.h"
#include "net/rendezvous/roster.h"
#include "net/tcp/identity.h"

// Messages between ranks, and their count.
#include "net/error.h"
#include "net/mesh.h"
#include "net/traffic.h"

// A mesh of ranks in one process, for tests and experiments.
#include "net/memory/emulated_mesh.h"
#include "net/memory/memory_mesh.h"

// Operations of all parties.
#include "net/collectives/collectives.h"

// Gradients of a training in which every rank has data of its own.
#include "net/synchronise/gradient_sum.h"
#include "net/synchronise/late_gradients.h"
