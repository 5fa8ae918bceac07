// The public headers for a protocol of your own, beside those of tacit/mpc.h. A program that only calls
// protocols does not need them. docs/adding-a-protocol.md has an example.
#pragma once

#include "mpc/kernels/elementwise.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"
