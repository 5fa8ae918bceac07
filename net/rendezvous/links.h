// Links sets up the connections of the mesh: calls to lower ranks, and calls from higher ranks.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "net/rendezvous/caller.h"
#include "net/rendezvous/reception.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

class Links {
 public:
  Links(Loop& loop, const Setting& setting, Reception& reception);

  // Sets the session of all links. Calls from other ranks wait until the session is known.
  void set_session(const SessionId& session);

  // The link to or from rank 0 is the connection of the hello.
  void put(int rank, std::shared_ptr<Conversation> talk);

  // Handles a call from a higher rank, given its first message.
  Task take_call(std::shared_ptr<Conversation> talk, Message first);

  // Starts all calls to lower ranks. An exception in any call ends the rendezvous.
  void call_lower_ranks(const std::vector<Endpoint>& addresses, Clock::time_point deadline);

  bool complete() const { return missing_ranks().empty(); }
  std::vector<int> missing_ranks() const;

  // The connections by rank, once complete.
  std::vector<std::unique_ptr<Wire>> take_wires();

 private:
  std::optional<Failure> objection(const Conversation& talk, const LinkHello& link) const;
  std::optional<Failure> late_objection(const LinkHello& link) const;
  Task call(Callee callee, Clock::time_point deadline);

  Loop& loop_;
  const Setting& setting_;
  Reception& reception_;
  Caller caller_;
  std::optional<SessionId> session_;
  std::vector<std::shared_ptr<Conversation>> talks_;  // by rank
};

}  // namespace tacit::net
