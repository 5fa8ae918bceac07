// RendezvousHost — rank 0's part of the rendezvous: it gathers everybody, compares what they run, and tells all ranks
// the addresses, when to go, and why this ends where it does.
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
    std::shared_ptr<Conversation> talk;  // null: not here
    Endpoint where;                      // at which the others reach it
    std::vector<int> told;               // who is missing, as it knows; itself before it knows anything
    Clock::time_point told_at{};
    bool ready = false;
    bool gone = false;  // it was here, or has been told that this is over
  };

  // The steps, in order.
  Task main();
  Task form();
  Task open();
  Task gather();
  Task welcome();
  Task wait_for_links();
  Task let_go();
  Task tell_the_end();

  // What comes in meanwhile.
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
  std::vector<Guest> guests_;  // by rank; our own stays empty
  int listening_to_ = 0;       // guests
  bool open_ = false;          // others can come
  bool welcomed_ = false;
  std::exception_ptr error_;
  std::optional<Failure> end_;  // what guests are told from then on
  Formation formation_;
};

}  // namespace tacit::net
