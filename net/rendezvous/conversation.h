// Conversation is one connection during the rendezvous: it authenticates the other end, then
// carries messages.
//
// One coroutine may receive while another sends. Finally take_wire() passes the connection to the
// mesh.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/rendezvous/hello.h"
#include "net/rendezvous/loop.h"
#include "net/rendezvous/socket_address.h"
#include "net/tcp/identity.h"
#include "net/tcp/tls.h"

namespace tacit::net {

struct Message {
  MessageHeader header;
  std::vector<std::byte> body;  // empty if the header has a different version, except for a failure
};

class Conversation {
 public:
  Conversation(Loop& loop, Descriptor connected, const SocketAddress& other_end);

  const SocketAddress& other_end() const { return other_end_; }

  // Authenticates both ends, as the called end or as the calling end. A null `tls` means plaintext,
  // without authentication. Throws NetError, or TrustError if a retry would end the same way.
  Task answer(const TlsContext* tls, Clock::time_point deadline);
  Task call(const TlsContext* tls, Fingerprint expected, Clock::time_point deadline);

  // The key that the other end has proven to hold; empty in plaintext.
  const std::optional<Fingerprint>& peer_key() const { return peer_key_; }

  Task send(std::vector<std::byte> message, Clock::time_point deadline);

  // Reads exactly one message and no byte beyond it. Throws NetError if the connection ends, and
  // ProtocolError if the header is malformed.
  Awaitable<Message> receive(Clock::time_point deadline);
  void stop_receiving() { watch_->stop_reading(); }  // answer() and receive() then throw Stopped
  bool receiving_stopped() const { return watch_->reading_stopped(); }

  // Closes the sending direction, then reads and discards until the other end closes. Closing a
  // socket with unread bytes resets the connection, and the last message sent would be lost.
  Task part(Clock::time_point deadline);

  bool closed_by_peer() const;

  // Call this when no coroutine sends or receives any more. Afterwards only the destructor may be
  // called.
  std::unique_ptr<Wire> take_wire();

 private:
  int socket() const { return wire_ ? wire_->socket() : socket_.get(); }
  Task shake_hands(TlsWire& wire, Clock::time_point deadline);
  Task read_exactly(Bytes bytes, Clock::time_point deadline);

  SocketAddress other_end_;
  Descriptor socket_;  // empty once `wire_` owns the socket
  // Created before the first byte: a wire takes memory, and most strangers never send a byte.
  std::unique_ptr<Wire> wire_;
  std::optional<Fingerprint> peer_key_;
  std::optional<Watch> watch_;  // declared last: must be destroyed before the socket
};

}  // namespace tacit::net
