// Caller connects to a rank, sends the first message, and retries until that rank answers.
#pragma once

#include <memory>

#include "net/rendezvous/setting.h"

namespace tacit::net {

struct Callee {
  int rank = 0;
  Endpoint where;
  std::string remedy;  // advice for the error when the rank is unreachable: "check MASTER_ADDR ..."
};

struct Answered {
  std::shared_ptr<Conversation> talk;
  Message first;
};

class Caller {
 public:
  Caller(Loop& loop, const Setting& setting) : loop_(loop), setting_(setting) {}

  // Connects, lets the other end prove to be `callee`, sends the message, and returns the first
  // answer. Retries if the rank is absent, closes the connection, or stays silent. Throws
  // NetError at the deadline. Throws NetError at once if a retry cannot help: a different key, or
  // no TLS. Throws ConfigError if the host name stays unknown for the duration of a handshake.
  Awaitable<Answered> ask(Callee callee, std::vector<std::byte> message, Clock::time_point deadline);

 private:
  Awaitable<Answered> attempt(Callee callee, std::vector<std::byte> message, Clock::time_point deadline);
  Awaitable<std::shared_ptr<Conversation>> connect(std::vector<SocketAddress> addresses, Clock::time_point deadline);
  Awaitable<std::shared_ptr<Conversation>> connect(SocketAddress address, Clock::time_point deadline);

  Loop& loop_;
  const Setting& setting_;
};

}  // namespace tacit::net
