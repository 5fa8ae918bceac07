// Conversation — one connection while the rendezvous lasts: it proves who is at the other end, then carries messages.
//
// One coroutine may receive while another sends. In the end take_wire() hands the connection on.
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
  std::vector<std::byte> body;  // empty where the header is of another version (unless it is a failure)
};

class Conversation {
 public:
  Conversation(Loop& loop, Descriptor connected, const SocketAddress& other_end);

  const SocketAddress& other_end() const { return other_end_; }

  // Proves both ends to each other, as the one that was called and as the one that calls; `tls` null: plaintext, where
  // nothing is proven. Throws NetError, TrustError where another attempt would end the same way.
  Task answer(const TlsContext* tls, Clock::time_point deadline);
  Task call(const TlsContext* tls, Fingerprint expected, Clock::time_point deadline);

  // The key that the other end has proven to hold; none in plaintext.
  const std::optional<Fingerprint>& peer_key() const { return peer_key_; }

  Task send(std::vector<std::byte> message, Clock::time_point deadline);

  // Reads not a byte more than the message. Throws NetError if the connection ends, ProtocolError if the header is
  // none.
  Awaitable<Message> receive(Clock::time_point deadline);
  void stop_receiving() { watch_->stop_reading(); }  // whoever waits in answer() or receive() gets Stopped
  bool receiving_stopped() const { return watch_->reading_stopped(); }

  // Says no more, and hears the other end out until it closes: a socket that is closed over unread bytes resets the
  // connection, and our last message would be lost with it.
  Task part(Clock::time_point deadline);

  bool closed_by_peer() const;

  // Once nobody sends or receives any more. Only the destructor may follow.
  std::unique_ptr<Wire> take_wire();

 private:
  int socket() const { return wire_ ? wire_->socket() : socket_.get(); }
  Task shake_hands(TlsWire& wire, Clock::time_point deadline);
  Task read_exactly(Bytes bytes, Clock::time_point deadline);

  SocketAddress other_end_;
  Descriptor socket_;           // until the wire has it
  std::unique_ptr<Wire> wire_;  // from the first byte on: a wire takes memory, and most strangers never say a word
  std::optional<Fingerprint> peer_key_;
  std::optional<Watch> watch_;  // last, so that it goes before what it watches
};

}  // namespace tacit::net
