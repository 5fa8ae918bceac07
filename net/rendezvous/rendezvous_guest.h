// RendezvousGuest — the part of every rank but 0: it tells rank 0 who it is, learns where the others are, connects to
// the lower of them, and goes when rank 0 says so.
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
  // The steps, in order.
  Task main();
  Task form();
  Task open();
  Task join();
  Task wait_for_welcome();
  Task link_up();
  Task wait_for_go();
  Task tell_the_end();

  // What comes in meanwhile.
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
  std::shared_ptr<Conversation> master_;  // once it has answered
  std::vector<int> missing_;              // as rank 0 told us last
  std::optional<Welcome> welcome_;
  Clock::time_point linking_since_{};
  bool ready_ = false;
  bool go_ = false;
  bool master_gone_ = false;
  std::optional<Failure> verdict_;  // what rank 0 told everybody
  std::exception_ptr error_;
  Formation formation_;
};

}  // namespace tacit::net
