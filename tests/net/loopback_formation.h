// Connections between n ranks of one process, over TCP on the loopback interface, without a rendezvous.
#pragma once

#include <vector>

#include "net/tcp/formation.h"

namespace tacit::net {

// kPlain is the plaintext of a rendezvous, on which no session runs. kPlainWithPublicKeys lets
// sessions run, for tests.
enum class Encryption { kPlain, kPlainWithPublicKeys, kTls };

struct LoopbackShape {
  int parties = 2;
  int helpers = 0;
  Encryption encryption = Encryption::kTls;
};

// One formation per rank; each may move to its own thread.
std::vector<Formation> loopback_formations(const LoopbackShape& shape);

// A connected pair of TCP sockets.
std::pair<Descriptor, Descriptor> tcp_pair();

}  // namespace tacit::net
