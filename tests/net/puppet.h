// Puppet — one end of a rendezvous connection, moved by hand: it sends the messages that a test
// wants, and waits for answers.
#pragma once

#include <memory>

#include "net/rendezvous/conversation.h"
#include "net/rendezvous/hello.h"
#include "net/rendezvous/roster.h"
#include "net/tcp/wire.h"

namespace tacit::net {

// Connects to a port of 127.0.0.1 as soon as a process listens there.
Descriptor connect_to(std::uint16_t port);

class Puppet {
 public:
  // Calls the holder of the key `expected`. A null `identity` calls in plaintext.
  static Puppet call(std::uint16_t port, const Identity* identity, const Fingerprint& expected);
  // Waits for a call from a rank with a key in the roster.
  static Puppet answer(const Descriptor& listener, const Identity& identity, const Roster& roster);

  void say(const std::vector<std::byte>& message);
  Message hear();          // the next message; throws NetError if the connection ends, or after ten seconds
  Failure hear_failure();  // skips the lists of missing ranks
  Welcome hear_welcome(int size);
  bool is_hung_up_on();  // the other end closes within ten seconds

 private:
  std::unique_ptr<Wire> wire_;
};

// A valid Hello, for a test to change.
Hello hello_of(int rank, int parties, std::uint16_t listening_port);

// A listening socket at a port that a test has reserved.
Descriptor listen_to(std::uint16_t port);

}  // namespace tacit::net
