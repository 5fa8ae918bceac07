// Reception — where connections come in: it accepts them, has each prove who it is and say its first message within a
// deadline, and hands it over. Strangers are turned away with a line in the log; however many they are, they cost
// neither memory (an idle one is a descriptor) nor a place (the oldest unproven connection makes room for the newest).
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
  // Takes over a connection whose other end has proven who it is, with its first message. It may be turned away with
  // refuse(). What `receive` throws ends the rendezvous.
  using Receive = std::function<Task(std::shared_ptr<Conversation>, Message)>;

  // How many unproven connections may be open at once in a world of that many connections.
  static constexpr std::int64_t most_unproven(std::int64_t expected) { return 128 + 2 * expected; }

  Reception(Loop& loop, const Setting& setting, Receive receive);

  void open(std::vector<Descriptor> listeners);  // until the loop stops

  // Tells the other end why, counts and logs it.
  Task refuse(std::shared_ptr<Conversation> talk, Failure why);

  // The same for one that breaks the protocol. If its key says who it is, the rendezvous ends: throws ProtocolError.
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
  std::deque<Conversation*> unproven_;  // oldest first; each belongs to its greet()
};

}  // namespace tacit::net
