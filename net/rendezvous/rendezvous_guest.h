// RendezvousGuest is the rendezvous of every rank except 0. The guest introduces itself to rank 0,
// receives all addresses, connects to the lower ranks, and ends when rank 0 sends `go`.
#pragma once

#include "net/rendezvous/links.h"
#include "net/rendezvous/reception.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

class RendezvousGuest {
 public:
  explicit RendezvousGuest(const Setting& setting);

  Formation run();

 private:
  // The steps, in this order.
  Task main();
  Task form();
  Task open();
  Task join();
  Task wait_for_welcome();
  Task link_up();
  Task wait_for_go();
  Task tell_the_end();

  // Handlers of incoming messages during the steps.
  Task receive(std::shared_ptr<Conversation> talk, Message first);
  Task listen_to_master(Message first);
  void take(const Message& message);
  void interpret(const Message& message);

  Hello hello() const;
  Awaitable<bool> until(std::function<bool()> condition, Clock::time_point deadline);

  const Setting& setting_;
  Loop loop_;
  Reception reception_;
  Links links_;
  std::uint16_t listening_port_ = 0;
  std::shared_ptr<Conversation> master_;  // null until rank 0 has answered
  std::vector<int> missing_;              // the latest list from rank 0
  std::optional<Welcome> welcome_;
  Clock::time_point linking_since_{};
  bool ready_ = false;
  bool go_ = false;
  bool master_gone_ = false;
  std::optional<Failure> verdict_;  // the failure that rank 0 sent to every rank
  std::exception_ptr error_;
  Formation formation_;
};

}  // namespace tacit::net
