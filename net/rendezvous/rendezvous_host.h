// RendezvousHost is rank 0's rendezvous. The host waits for all ranks, compares their
// configurations, and sends all addresses, then `go`. If the rendezvous fails, the host sends every
// rank the reason.
#pragma once

#include "net/rendezvous/links.h"
#include "net/rendezvous/reception.h"
#include "net/rendezvous/setting.h"

namespace tacit::net {

class RendezvousHost {
 public:
  explicit RendezvousHost(const Setting& setting);

  Formation run();

 private:
  struct Guest {
    std::shared_ptr<Conversation> talk;  // null: not connected
    Endpoint where;                      // address for the other ranks
    // The last list of absent ranks sent to this guest; initially the guest itself.
    std::vector<int> told;
    Clock::time_point told_at{};
    bool ready = false;
    bool gone = false;  // the guest has left, or was informed of the end
  };

  // The steps, in this order.
  Task main();
  Task form();
  Task open();
  Task gather();
  Task welcome();
  Task wait_for_links();
  Task let_go();
  Task tell_the_end();

  // Handlers of incoming messages during the steps.
  Task receive(std::shared_ptr<Conversation> talk, Message first);
  Task admit(std::shared_ptr<Conversation> talk, Message first);
  Task listen_to(int rank, std::shared_ptr<Conversation> talk);
  void take(int rank, const Message& message);

  std::optional<Failure> duplicate(const Conversation& talk, const Hello& hello) const;
  Task end_with(std::shared_ptr<Conversation> talk, int rank, Failure why);
  Task tell_who_is_missing(std::vector<int> missing);
  Task send(int rank, std::vector<std::byte> message);
  Task send_to_all(std::vector<std::byte> message);
  Awaitable<bool> until(std::function<bool()> condition, Clock::time_point deadline);
  [[noreturn]] void give_up_waiting() const;
  std::vector<int> ranks_where(const std::function<bool(const Guest&)>& condition) const;
  std::vector<int> missing_ranks() const;
  Guest& guest(int rank) { return guests_.at(static_cast<std::size_t>(rank)); }
  const Guest& guest(int rank) const { return guests_.at(static_cast<std::size_t>(rank)); }

  const Setting& setting_;
  Loop loop_;
  Reception reception_;
  Links links_;
  std::vector<Guest> guests_;  // indexed by rank; entry 0 stays empty
  int listening_to_ = 0;       // number of guests
  bool open_ = false;          // other ranks can connect
  bool welcomed_ = false;
  std::exception_ptr error_;
  std::optional<Failure> end_;  // the failure to send to guests, once set
  Formation formation_;
};

}  // namespace tacit::net
