// ServiceMessage — a message between two answers of a service, in either direction between rank 0 and another rank.
//
// A message is a head of 32 bytes, and for requests a second message: the number of nodes of each request and the nodes,
// 8 bytes each. The head states the length of the second message, which is at most 17 MB.
#pragma once

#include <cstdint>
#include <vector>

#include "gnn/graph/rows.h"
#include "mpc/sealed/storage_key.h"
#include "net/mesh.h"

namespace tacit::gnn {

struct ServiceMessage {
  enum class Kind : std::uint32_t {
    kRequests = 1,  // requests of `rank`
    kQuiet = 2,     // keeps a wait within the mesh's patience
    kEnd = 3,       // `rank` wants the service to end, for `reason`
    kBye = 4,       // to rank 0: the last message
  };
  Kind kind = Kind::kQuiet;
  int rank = 0;
  std::int64_t reason = 0;
  std::vector<Rows> requests{};  // the nodes of each, in the asker's order
};

// Streams of their own, so that a request never mixes with an opening.
inline constexpr net::Stream kToRank0 = 1, kFromRank0 = 2;

// Does not block.
void post(net::Mesh& mesh, int to, net::Stream stream, const ServiceMessage& message);
// Waits for the next message. Throws ProtocolError for one that cannot be.
ServiceMessage receive_message(net::Mesh& mesh, int from, net::Stream stream);

// A digest of the rank and the requests.
mpc::Digest digest_of(const ServiceMessage& message);

std::int64_t payload_of(const ServiceMessage& message);   // bytes
std::int64_t messages_of(const ServiceMessage& message);  // on the channel: 1 or 2

}  // namespace tacit::gnn
