// Feeds bytes to one end of a TLS handshake, like a stranger who connects and sends them all at
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "net/tcp/tls.h"

namespace tacit::net {

// Two keys that trust each other, made once per process.
struct TlsEnds {
  Identity ours = Identity::generate();
  Identity theirs = Identity::generate();
  TlsContext our_context{ours, {theirs.fingerprint()}};
  TlsContext their_context{theirs, {ours.fingerprint()}};
};

const TlsEnds& tls_ends();

// True if the handshake completed, which must never happen without a private key.
bool server_completes_on(const std::uint8_t* data, std::size_t size);
bool client_completes_on(const std::uint8_t* data, std::size_t size);

// The first flights of a real handshake on the wire.
std::string first_flight_of_client();
std::string first_flight_of_server();

}  // namespace tacit::net
