#include "net/rendezvous/rendezvous_host.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>

#include "net/error.h"
#include "net/rendezvous/admission.h"
#include "net/rendezvous/listener.h"
#include "net/rendezvous/lookup.h"
#include "net/rendezvous/objection.h"

namespace tacit::net {

namespace {

constexpr std::chrono::seconds kBetweenRolls{1};       // between two lists of absent ranks to one guest
constexpr std::chrono::seconds kBetweenHostLines{10};  // between two lines of the log without news
constexpr std::chrono::seconds kHostLastWords{1};
constexpr std::chrono::seconds kLinger{2};  // for latecomers to receive the reason

SessionId random_session() {
  SessionId session{};
  TACIT_CHECK(::getrandom(session.data(), session.size(), 0) == static_cast<ssize_t>(session.size()));
  return session;
}

}  // namespace

RendezvousHost::RendezvousHost(const Setting& setting)
    : setting_(setting),
      reception_(loop_, setting,
                 [this](std::shared_ptr<Conversation> talk, Message first) {
                   return receive(std::move(talk), std::move(first));
                 }),
      links_(loop_, setting, reception_),
      guests_(static_cast<std::size_t>(setting.world.size())) {}

Formation RendezvousHost::run() {
  loop_.run(main());
  return std::move(formation_);
}

Task RendezvousHost::main() {
  loop_.spawn(await_objection(loop_, setting_));
  try {
    co_await form();
  } catch (const Stopped&) {
    throw;
  } catch (...) {
    error_ = std::current_exception();
  }
  if (!error_) co_return;
  co_await tell_the_end();
  std::rethrow_exception(error_);
}

Task RendezvousHost::form() {
  co_await open();
  co_await gather();
  co_await welcome();
  co_await wait_for_links();
  co_await let_go();
}

Task RendezvousHost::open() {
  const Endpoint& master = setting_.options.master;
  const auto deadline = std::min(setting_.deadline, Clock::now() + setting_.options.handshake);
  std::vector<SocketAddress> addresses;
  try {
    addresses = co_await look_up(loop_, master, deadline);
  } catch (const UnknownHost& error) {
    throw ConfigError(fmt::format("rank 0 cannot listen at {}: {}; check MASTER_ADDR", master.text(), error.what()));
  }
  Listeners listeners = listen_for_all(master, addresses, "MASTER_PORT");
  setting_.log(fmt::format("rank 0 listens at {}", listeners.text));
  reception_.open(std::move(listeners.sockets));
  open_ = true;
}

Task RendezvousHost::gather() {
  auto next_line = Clock::now();
  for (auto missing = missing_ranks(); !missing.empty(); missing = missing_ranks()) {
    co_await tell_who_is_missing(missing);
    if (setting_.options.missing) setting_.options.missing(missing);
    if (Clock::now() >= next_line) {
      setting_.log("waiting for " + setting_.describe(missing));
      next_line = Clock::now() + kBetweenHostLines;
    }
    const std::function<bool()> changed = [this, &missing] { return missing_ranks() != missing; };
    const bool news = co_await until(changed, std::min(setting_.deadline, Clock::now() + kBetweenRolls));
    if (!news && Clock::now() >= setting_.deadline) give_up_waiting();
  }
  if (setting_.options.missing) setting_.options.missing({});
}

// A newcomer gets the list at once, the others at most once in kBetweenRolls. Otherwise a large
// world would send each rank a message for each arrival.
Task RendezvousHost::tell_who_is_missing(std::vector<int> missing) {
  for (int rank = 1; rank < setting_.world.size(); ++rank) {
    Guest& g = guest(rank);
    if (g.talk == nullptr || g.told == missing || Clock::now() < g.told_at + kBetweenRolls) continue;
    g.told = missing;
    g.told_at = Clock::now();
    const Missing roll{missing};
    co_await send(rank, encode(roll));
  }
}

Task RendezvousHost::welcome() {
  Welcome welcome;
  welcome.session = random_session();
  for (int rank = 0; rank < setting_.world.size(); ++rank) {
    const Endpoint& where = rank == 0 ? setting_.options.master : guest(rank).where;
    welcome.addresses.push_back(where);
    formation_.addresses.push_back(where.text());
  }
  formation_.world = setting_.world;
  formation_.session = welcome.session;
  links_.set_session(welcome.session);
  welcomed_ = true;
  co_await send_to_all(encode(welcome));
}

Task RendezvousHost::wait_for_links() {
  const auto slow = [this] {
    auto ranks = ranks_where([](const Guest& g) { return !g.ready; });
    return ranks.empty() ? links_.missing_ranks() : ranks;
  };
  const std::function<bool()> all_stand = [slow] { return slow().empty(); };
  const bool in_time = co_await until(all_stand, setting_.all_ready_deadline(Clock::now()));
  if (in_time) co_return;
  const std::vector<int> ranks = slow();
  throw NetError(fmt::format("{} did not connect to all other ranks in time: see the log there, then start all "
                             "ranks again",
                             setting_.describe(ranks)),
                 ranks.size() == 1 ? ranks.front() : -1);
}

// After `go`, the mesh reads the bytes of a guest. Rank 0 therefore stops listening before any
// guest may send.
Task RendezvousHost::let_go() {
  for (const Guest& g : guests_) {
    if (g.talk != nullptr) g.talk->stop_receiving();
  }
  const std::function<bool()> nobody_listens = [this] { return listening_to_ == 0; };
  co_await until(nobody_listens, kNever);
  for (const Guest& g : guests_) {
    const std::shared_ptr<Conversation> talk = g.talk;  // stays alive during the wait
    if (talk == nullptr) continue;
    try {
      co_await talk->send(encode(MessageKind::kGo), Clock::now() + setting_.options.handshake);
    } catch (const NetError&) {  // other ranks may have gone ahead; the mesh will find this link broken
    }
  }
  formation_.links = links_.take_wires();
}

Task RendezvousHost::tell_the_end() {
  end_ = failure_of(error_, 0);
  for (const Guest& g : guests_) {
    const std::shared_ptr<Conversation> talk = g.talk;  // stays alive during the wait
    if (talk == nullptr) continue;
    try {
      co_await talk->send(encode(*end_), Clock::now() + kHostLastWords);
    } catch (const NetError&) {  // this guest has been informed, or is unreachable
    }
  }
  if (!open_) co_return;
  const std::function<bool()> all_gone = [this] { return ranks_where([](const Guest& g) { return !g.gone; }).empty(); };
  co_await loop_.until(all_gone, Clock::now() + std::min<Clock::duration>(kLinger, setting_.options.handshake));
}

Task RendezvousHost::receive(std::shared_ptr<Conversation> talk, Message first) {
  if (end_) {
    const int rank = setting_.proven_rank(*talk);
    co_await reception_.refuse(std::move(talk), *end_);
    if (rank > 0) guest(rank).gone = true;
    loop_.notify();
  } else if (first.header.kind == MessageKind::kHello) {
    co_await admit(std::move(talk), std::move(first));
  } else if (first.header.kind == MessageKind::kLink) {
    co_await links_.take_call(std::move(talk), std::move(first));
  } else {
    const std::string why = "its first message is not a hello";
    co_await reception_.refuse_malformed(std::move(talk), why);
  }
}

Task RendezvousHost::admit(std::shared_ptr<Conversation> talk, Message first) {
  const std::optional<Failure> foreign = other_version(setting_, *talk, first.header.version);
  if (foreign) {
    const int rank = setting_.proven_rank(*talk);
    co_await end_with(std::move(talk), rank, *foreign);
  }
  Hello hello;
  std::string malformed;
  try {
    hello = parse_hello(first.body);
  } catch (const ProtocolError& error) {
    malformed = error.what();
  }
  if (!malformed.empty()) {
    co_await reception_.refuse_malformed(std::move(talk), malformed);
    co_return;
  }
  std::optional<Failure> refused = false_claim(setting_, *talk, hello);
  if (!refused) refused = duplicate(*talk, hello);
  if (refused) {
    co_await reception_.refuse(std::move(talk), *refused);
    co_return;
  }
  if (talk->closed_by_peer()) co_return;  // the guest has given up this connection and will retry
  const int rank = hello.world.rank;
  const std::optional<Failure> unequal = mismatch(setting_, *talk, hello);
  if (unequal) co_await end_with(std::move(talk), rank, *unequal);
  Guest& g = guest(rank);
  g = {};
  g.talk = talk;
  g.told = {rank};
  g.where = reachable_at(setting_, *talk, hello);
  links_.put(rank, talk);
  setting_.log(fmt::format("{} is here, from {}", setting_.describe(rank, g.where), talk->other_end().text()));
  loop_.spawn(listen_to(rank, std::move(talk)));
}

// Sends the reason to the newcomer, then to all other ranks.
Task RendezvousHost::end_with(std::shared_ptr<Conversation> talk, int rank, Failure why) {
  co_await reception_.refuse(std::move(talk), why);
  if (rank > 0 && rank < setting_.world.size()) guest(rank).gone = true;
  raise(why);
}

// The first of two processes with the same rank stays. A closed connection does not block its
// successor.
std::optional<Failure> RendezvousHost::duplicate(const Conversation& talk, const Hello& hello) const {
  const int rank = hello.world.rank;
  if (rank >= setting_.world.size()) return std::nullopt;  // mismatch() reports the different worlds
  const auto& standing = guest(rank).talk;
  if (rank != 0 && (standing == nullptr || standing->closed_by_peer())) return std::nullopt;
  const Endpoint& where = rank == 0 ? setting_.options.master : guest(rank).where;
  return Failure{Exit::kConfig, -1,
                 fmt::format("rank {} is here already, at {}, and another process calls itself rank {} at {}: give "
                             "every process a RANK of its own",
                             rank, where.text(), rank, talk.other_end().text())};
}

// Listens until the guest closes the connection, even after a failure. The close confirms that the
// guest has received the reason.
Task RendezvousHost::listen_to(int rank, std::shared_ptr<Conversation> talk) {
  ++listening_to_;
  const std::string who = setting_.describe(rank, guest(rank).where);
  std::string gone;
  bool stopped = false;
  while (gone.empty() && !stopped) {
    try {
      const Message message = co_await talk->receive(kNever);
      take(rank, message);
    } catch (const NetError& error) {
      gone = error.what();
    } catch (const ProtocolError& error) {
      gone = error.what();
      loop_.fail(std::make_exception_ptr(ProtocolError(who + ": " + gone, rank)));
    } catch (const Stopped&) {
      stopped = true;
    }
  }
  --listening_to_;
  if (!stopped) guest(rank).gone = true;
  loop_.notify();
  if (!gone.empty()) {
    throw NetError(fmt::format("{} is gone before all ranks were connected ({}): see the log there, then start all "
                               "ranks again",
                               who, gone),
                   rank);
  }
}

void RendezvousHost::take(int rank, const Message& message) {
  if (message.header.kind == MessageKind::kFailure) {
    loop_.fail(error_of(parse_failure(message.body)));
  } else if (message.header.kind == MessageKind::kReady && welcomed_ && !guest(rank).ready) {
    guest(rank).ready = true;
    loop_.notify();
  } else {
    throw ProtocolError("it sent a message that was not due", rank);
  }
}

Task RendezvousHost::send(int rank, std::vector<std::byte> message) {
  const std::shared_ptr<Conversation> talk = guest(rank).talk;  // stays alive during the wait
  try {
    co_await talk->send(std::move(message), Clock::now() + setting_.options.handshake);
  } catch (const NetError& error) {
    throw NetError(fmt::format("{} cannot be reached any more ({}): see the log there, then start all ranks again",
                               setting_.describe(rank, guest(rank).where), error.what()),
                   rank);
  }
}

Task RendezvousHost::send_to_all(std::vector<std::byte> message) {
  for (int rank = 1; rank < setting_.world.size(); ++rank) co_await send(rank, message);
}

Awaitable<bool> RendezvousHost::until(std::function<bool()> condition, Clock::time_point deadline) {
  const std::function<bool()> done = [this, &condition] { return loop_.failed() || condition(); };
  const bool in_time = co_await loop_.until(done, deadline);
  loop_.rethrow_failure();
  co_return in_time;
}

void RendezvousHost::give_up_waiting() const {
  const std::vector<int> missing = missing_ranks();
  const std::string refused = reception_.refusals().summary();
  throw NetError(
      fmt::format("{} did not come to rank 0 at {} within {:.1f} s{}{}: start every rank with the same MASTER_ADDR and "
                  "MASTER_PORT, and check that this port can be reached from its machine{}",
                  setting_.describe(missing), setting_.options.master.text(),
                  std::chrono::duration<double>(setting_.options.deadline).count(), refused.empty() ? "" : "; ",
                  refused, refused.empty() ? "" : "; if it was refused, compare its key and its roster with rank 0's"),
      missing.size() == 1 ? missing.front() : -1);
}

std::vector<int> RendezvousHost::ranks_where(const std::function<bool(const Guest&)>& condition) const {
  std::vector<int> ranks;
  for (int rank = 1; rank < setting_.world.size(); ++rank) {
    if (condition(guest(rank))) ranks.push_back(rank);
  }
  return ranks;
}

std::vector<int> RendezvousHost::missing_ranks() const {
  return ranks_where([](const Guest& g) { return g.talk == nullptr; });
}

}  // namespace tacit::net
