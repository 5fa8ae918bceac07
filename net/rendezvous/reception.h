// Reception accepts connections. Each connection must authenticate and send its first message
// within a deadline; Reception then passes it on. Unauthenticated connections (strangers) are
// refused with a line in the log. Many strangers cost little: an idle one takes a descriptor but no
// buffer, and the oldest unproven connection is dropped to make room for the newest.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "net/rendezvous/conversation.h"
#include "net/rendezvous/refusals.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

class Reception {
 public:
  // Takes over an authenticated connection and its first message. The receiver may still call
  // refuse(). An exception from `receive` ends the rendezvous.
  using Receive = std::function<Task(std::shared_ptr<Conversation>, Message)>;

  // The limit of unproven connections open at once, in a world that needs `expected` connections.
  static constexpr std::int64_t most_unproven(std::int64_t expected) { return 128 + 2 * expected; }

  Reception(Loop& loop, const Setting& setting, Receive receive);

  void open(std::vector<Descriptor> listeners);  // accepts connections until the loop stops

  // Sends the reason to the other end, counts the refusal and logs it.
  Task refuse(std::shared_ptr<Conversation> talk, Failure why);

  // Refuses a connection that violates the protocol. Throws ProtocolError, which ends the
  // rendezvous, if the key of the connection identifies a rank.
  Task refuse_malformed(std::shared_ptr<Conversation> talk, std::string why);

  const Refusals& refusals() const { return refusals_; }

 private:
  Task accept_from(Descriptor listener);
  bool accept_one(int listener);
  void make_room();
  Task greet(std::shared_ptr<Conversation> talk);
  Task part(std::shared_ptr<Conversation> talk);

  Loop& loop_;
  const Setting& setting_;
  const Receive receive_;
  const std::int64_t most_unproven_;
  Refusals refusals_;
  std::deque<Conversation*> unproven_;  // oldest first; greet() owns each one
};

}  // namespace tacit::net
