// Caller — connects to a rank and says the first message, again and again until that rank answers.
#pragma once

#include <memory>

#include "net/rendezvous/setting.h"

namespace tacit::net {

struct Callee {
  int rank = 0;
  Endpoint where;
  std::string remedy;  // when it cannot be reached: "check MASTER_ADDR ..."
};

struct Answered {
  std::shared_ptr<Conversation> talk;
  Message first;
};

class Caller {
 public:
  Caller(Loop& loop, const Setting& setting) : loop_(loop), setting_(setting) {}

  // The first message that comes back on a connection whose other end has proven to be that rank. Tries again when it
  // is not there yet, hangs up, or says nothing. Throws NetError at the deadline, or at once where trying again would
  // not help: another key, no TLS; ConfigError if its host name is unknown for the time of a handshake.
  Awaitable<Answered> ask(Callee callee, std::vector<std::byte> message, Clock::time_point deadline);

 private:
  Awaitable<Answered> attempt(Callee callee, std::vector<std::byte> message, Clock::time_point deadline);
  Awaitable<std::shared_ptr<Conversation>> connect(std::vector<SocketAddress> addresses, Clock::time_point deadline);
  Awaitable<std::shared_ptr<Conversation>> connect(SocketAddress address, Clock::time_point deadline);

  Loop& loop_;
  const Setting& setting_;
};

}  // namespace tacit::net
