#include "net/rendezvous/rendezvous_guest.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/error.h"
#include "net/rendezvous/listener.h"
#include "net/rendezvous/lookup.h"
#include "net/rendezvous/objection.h"

namespace tacit::net {

namespace {

// Time for rank 0 to receive this rank's failure and to send back the common one.
constexpr std::chrono::seconds kLastWords{2};

bool means_every_interface(const std::string& host) { return host.empty() || host == "0.0.0.0" || host == "::"; }

Listeners listen_anywhere_but(std::uint16_t master_port, const std::string& setting) {
  Listeners first = listen_everywhere(0, setting);
  if (first.port != master_port) return first;
  return listen_everywhere(0,
                           // `first` still holds the port that rank 0 will need if it runs on this
                           // machine.
                           setting);
}

}  // namespace

RendezvousGuest::RendezvousGuest(const Setting& setting)
    : setting_(setting),
      reception_(loop_, setting,
                 [this](std::shared_ptr<Conversation> talk, Message first) {
                   return receive(std::move(talk), std::move(first));
                 }),
      links_(loop_, setting, reception_) {}

Formation RendezvousGuest::run() {
  loop_.run(main());
  return std::move(formation_);
}

Task RendezvousGuest::main() {
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

Task RendezvousGuest::form() {
  co_await open();
  co_await join();
  co_await wait_for_welcome();
  co_await link_up();
  co_await wait_for_go();
}

Task RendezvousGuest::open() {
  const auto& pinned = setting_.roster.at(setting_.world.rank).address;
  Endpoint where = setting_.options.listen;
  if (where.port == 0 && pinned) where.port = pinned->port;
  const std::string setting = fmt::format("the port at which rank {} listens", setting_.world.rank);
  Listeners listeners;
  if (!means_every_interface(where.host)) {
    const auto deadline = std::min(setting_.deadline, Clock::now() + setting_.options.handshake);
    const std::vector<SocketAddress> addresses = co_await look_up(loop_, where, deadline);
    listeners = listen_at(addresses, setting);
    if (where.port == 0 && listeners.port == setting_.options.master.port) {
      // `first` holds the port that rank 0 will need if it runs on this machine.
      const Listeners first = std::move(listeners);
      listeners = listen_at(addresses, setting);
    }
    if (listeners.sockets.empty()) {
      throw ConfigError(
          fmt::format("rank {} cannot listen at {}: this machine does not have that address; listen at "
                      "one that it has, or at every interface",
                      setting_.world.rank, where.host));
    }
  } else if (where.port != 0) {
    listeners = listen_everywhere(where.port, setting);
  } else {
    listeners = listen_anywhere_but(setting_.options.master.port, setting);
  }
  listening_port_ = listeners.port;
  setting_.log(fmt::format("rank {} listens at {}", setting_.world.rank, listeners.text));
  reception_.open(std::move(listeners.sockets));
}

Hello RendezvousGuest::hello() const {
  const std::string& listening = setting_.options.listen.host;
  std::string announced = setting_.options.announce;
  if (announced.empty() && !means_every_interface(listening)) announced = listening;
  return {setting_.world, {announced, listening_port_}, setting_.options.agreement};
}

Task RendezvousGuest::join() {
  Callee master{0, setting_.options.master,
                "check MASTER_ADDR and MASTER_PORT, that rank 0 runs, and that its port can be reached from here"};
  Caller caller(loop_, setting_);
  Answered answered = co_await caller.ask(std::move(master), encode(hello()), setting_.deadline);
  master_ = std::move(answered.talk);
  loop_.spawn(listen_to_master(std::move(answered.first)));
}

Task RendezvousGuest::wait_for_welcome() {
  const std::function<bool()> welcomed = [this] { return welcome_.has_value(); };
  const bool in_time = co_await until(welcomed, setting_.deadline);
  if (in_time) co_return;
  throw NetError(
      fmt::format("rank {} has waited {:.1f} s for everybody to come to rank 0 at {}; not there yet: {}; start "
                  "every rank with the same MASTER_ADDR and MASTER_PORT",
                  setting_.world.rank, std::chrono::duration<double>(setting_.options.deadline).count(),
                  setting_.options.master.text(), setting_.describe(missing_)),
      missing_.size() == 1 ? missing_.front() : -1);
}

Task RendezvousGuest::link_up() {
  formation_.world = setting_.world;
  formation_.session = welcome_->session;
  std::vector<Endpoint> addresses = welcome_->addresses;
  addresses.front() = setting_.options.master;  // rank 0 may know itself under a different address
  for (const Endpoint& where : addresses) formation_.addresses.push_back(where.text());
  links_.put(0, master_);
  links_.set_session(welcome_->session);
  const auto begun = linking_since_ = Clock::now();
  links_.call_lower_ranks(addresses, setting_.links_deadline(begun));
  const std::function<bool()> all_stand = [this] { return links_.complete(); };
  const bool in_time = co_await until(all_stand, setting_.ready_deadline(begun));
  if (!in_time) {
    const std::vector<int> missing = links_.missing_ranks();
    throw NetError(fmt::format("{} did not connect to rank {} in time: see the log there, then start all ranks again",
                               setting_.describe(missing), setting_.world.rank),
                   missing.size() == 1 ? missing.front() : -1);
  }
  ready_ = true;
  co_await master_->send(encode(MessageKind::kReady), setting_.ready_deadline(begun));
}

Task RendezvousGuest::wait_for_go() {
  const std::function<bool()> may_go = [this] { return go_; };
  const bool in_time = co_await until(may_go, setting_.go_deadline(linking_since_));
  if (!in_time) {
    throw NetError(fmt::format("{} did not say that all ranks are connected: see the log there, then start all "
                               "ranks again",
                               setting_.describe(0, setting_.options.master)),
                   0);
  }
  formation_.links = links_.take_wires();
}

// All ranks must report the same culprit. Rank 0 decides: it sends every rank this failure or an
// earlier one.
Task RendezvousGuest::tell_the_end() {
  const Failure ours = failure_of(error_, setting_.world.rank);
  if (master_ != nullptr && !verdict_) {
    const auto deadline = Clock::now() + std::min<Clock::duration>(kLastWords, setting_.options.handshake);
    try {
      co_await master_->send(encode(ours), deadline);
    } catch (const NetError&) {  // rank 0 has closed, perhaps after a last message
    }
    const std::function<bool()> heard = [this] { return verdict_ || master_gone_; };
    co_await loop_.until(heard, deadline);
  }
  if (verdict_ && ours.exit != Exit::kBug) raise(*verdict_);
}

Task RendezvousGuest::receive(std::shared_ptr<Conversation> talk, Message first) {
  if (first.header.kind == MessageKind::kLink) {
    co_await links_.take_call(std::move(talk), std::move(first));
    co_return;
  }
  if (first.header.kind == MessageKind::kHello) {
    const Failure why{Exit::kConfig, -1,
                      fmt::format("rank {} listens there, not rank 0: set MASTER_ADDR and MASTER_PORT to the address "
                                  "of rank 0",
                                  setting_.world.rank)};
    co_await reception_.refuse(std::move(talk), why);
    co_return;
  }
  const std::string why = "its first message is not a link's hello";
  co_await reception_.refuse_malformed(std::move(talk), why);
}

// Listens until rank 0 sends `go` or closes the connection. After a failure, the close confirms
// that rank 0 has received it.
Task RendezvousGuest::listen_to_master(Message first) {
  const std::shared_ptr<Conversation> talk = master_;
  const std::string who = setting_.describe(0, setting_.options.master);
  take(first);
  std::string gone;
  while (gone.empty() && !go_) {
    try {
      const Message message = co_await talk->receive(kNever);
      take(message);
    } catch (const NetError& error) {
      gone = error.what();
    } catch (const ProtocolError& error) {
      gone = error.what();
      loop_.fail(std::make_exception_ptr(ProtocolError(who + ": " + gone, 0)));
    }
  }
  master_gone_ = !gone.empty();
  loop_.notify();
  if (master_gone_) {
    throw NetError(fmt::format("{} is gone before all ranks were connected ({}): see the log there, then start all "
                               "ranks again",
                               who, gone),
                   0);
  }
}

// Handles errors of a message here, since the connection is still able to carry a last message.
void RendezvousGuest::take(const Message& message) {
  try {
    interpret(message);
  } catch (const ProtocolError& error) {
    const std::string text =
        fmt::format("{} does not follow the protocol: {}; do all ranks run the same version of Tacit?",
                    setting_.describe(0, setting_.options.master), error.what());
    loop_.fail(std::make_exception_ptr(ProtocolError(text, 0)));
  } catch (const ConfigError&) {
    loop_.fail(std::current_exception());
  }
  loop_.notify();
}

void RendezvousGuest::interpret(const Message& message) {
  const MessageKind kind = message.header.kind;
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw ProtocolError(what);
  };
  if (kind == MessageKind::kFailure) {
    verdict_ = parse_failure(message.body);
    return;
  }
  if (message.header.version != kRendezvousVersion) {
    throw ConfigError(
        fmt::format("{} speaks version {} of the rendezvous, rank {} speaks version {}: install the same "
                    "version of Tacit everywhere",
                    setting_.describe(0, setting_.options.master), message.header.version, setting_.world.rank,
                    kRendezvousVersion));
  }
  if (kind == MessageKind::kMissing && !welcome_) {
    missing_ = parse_missing(message.body, setting_.world.size()).ranks;
    if (setting_.options.missing) setting_.options.missing(missing_);
    setting_.log(fmt::format("{} is there; waiting for {}", setting_.describe(0, setting_.options.master),
                             setting_.describe(missing_)));
  } else if (kind == MessageKind::kWelcome && !welcome_) {
    if (setting_.options.missing) setting_.options.missing({});
    welcome_ = parse_welcome(message.body, setting_.world.size());
  } else {
    require(kind == MessageKind::kGo && ready_, "it sent a message that was not due");
    go_ = true;
  }
}

Awaitable<bool> RendezvousGuest::until(std::function<bool()> condition, Clock::time_point deadline) {
  const std::function<bool()> done = [this, &condition] { return verdict_ || loop_.failed() || condition(); };
  const bool in_time = co_await loop_.until(done, deadline);
  if (verdict_) raise(*verdict_);
  loop_.rethrow_failure();
  co_return in_time;
}

}  // namespace tacit::net
