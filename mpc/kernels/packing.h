// Packing on all threads: words of k bits to and from dense bytes, as net/collectives/pack.h defines them.
#pragma once

#include "mpc/kernels/workers.h"
#include "net/collectives/pack.h"

namespace tacit::mpc {

// The bytes, and the words, are the same for any number of threads.
void pack(net::ConstWords words, net::Bytes packed, Workers& workers);
void unpack(net::ConstBytes packed, net::Words words, Workers& workers);

}  // namespace tacit::mpc
