#include "net/rendezvous/caller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "net/error.h"
#include "net/rendezvous/lookup.h"
#include "net/tcp/tcp_info.h"

namespace tacit::net {

namespace {

constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kLongestPause{500};
constexpr std::chrono::milliseconds kQuietAtFirst{500};
constexpr std::chrono::seconds kBetweenLines{10};
constexpr std::chrono::seconds kTimeToTell{3};      // an objection; rank 0 may still be starting
constexpr std::chrono::seconds kLongestConnect{5};  // to one address, before the next one is tried

std::string error_text(int error) { return std::system_category().message(error); }

}  // namespace

Awaitable<Answered> Caller::ask(Callee callee, std::vector<std::byte> message, Clock::time_point deadline) {
  const std::string who = setting_.describe(callee.rank) + " at " + callee.where.text();
  const auto begun = Clock::now();
  auto known_at = begun;  // time of the last successful lookup
  auto next_line = begun + kQuietAtFirst;
  std::chrono::milliseconds pause = kFirstPause;
  while (true) {
    std::string why;
    bool unknown = false;
    try {
      co_return co_await attempt(callee, message, deadline);
    } catch (const UnknownHost& error) {
      why = error.what();
      unknown = true;
    } catch (const TrustError& error) {
      throw NetError(
          fmt::format("rank {} called {} and reports: {}; {}; check also that all ranks have the same roster",
                      setting_.world.rank, who, error.what(), callee.remedy),
          callee.rank);
    } catch (const NetError& error) {
      why = error.what();
    }
    if (!unknown) known_at = Clock::now();
    if (Clock::now() >= next_line) {
      setting_.log(fmt::format("waiting for {}: {}", who, why));
      next_line = Clock::now() + kBetweenLines;
    }
    const auto last_moment = unknown ? std::min(deadline, known_at + setting_.options.handshake) : deadline;
    if (Clock::now() >= begun + kTimeToTell) setting_.expect_no_objection();
    co_await loop_.sleep_until(std::min(Clock::now() + pause, last_moment));
    if (Clock::now() >= last_moment) {
      const std::string text =
          fmt::format("rank {} has not reached {} within {:.1f} s: {}; {}", setting_.world.rank, who,
                      std::chrono::duration<double>(Clock::now() - begun).count(), why, callee.remedy);
      if (unknown) throw ConfigError(text);
      throw NetError(text, callee.rank);
    }
    pause = std::min(pause * 3 / 2, kLongestPause);
  }
}

Awaitable<Answered> Caller::attempt(Callee callee, std::vector<std::byte> message, Clock::time_point deadline) {
  deadline = std::min(deadline, Clock::now() + setting_.options.handshake);
  std::vector<SocketAddress> addresses = co_await look_up(loop_, callee.where, deadline);
  Answered answered;
  answered.talk = co_await connect(std::move(addresses), deadline);
  co_await answered.talk->call(setting_.tls.get(), setting_.roster.at(callee.rank).fingerprint, deadline);
  try {
    co_await answered.talk->send(std::move(message), deadline);
  } catch (const NetError&) {  // the other end has closed, and may have sent a reason first
  }
  try {
    answered.first = co_await answered.talk->receive(deadline);
  } catch (const ProtocolError& error) {
    // Without authentication, the other end may be any process.
    if (setting_.tls == nullptr) throw TrustError(error.what());
    throw ProtocolError(setting_.describe(callee.rank, callee.where) + ": " + error.what(), callee.rank);
  }
  co_return answered;
}

Awaitable<std::shared_ptr<Conversation>> Caller::connect(std::vector<SocketAddress> addresses,
                                                         Clock::time_point deadline) {
  std::string why;
  for (const SocketAddress& address : addresses) {
    const auto until = std::min(deadline, Clock::now() + kLongestConnect);
    try {
      co_return co_await connect(address, until);
    } catch (const NetError& error) {
      if (!why.empty()) why += ", ";
      why += addresses.size() == 1 ? error.what() : fmt::format("{} ({})", error.what(), address.text());
    }
  }
  throw NetError(why);
}

Awaitable<std::shared_ptr<Conversation>> Caller::connect(SocketAddress address, Clock::time_point deadline) {
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) throw NetError("no socket: " + error_text(errno));
  notice_dead_peers(socket.get(), setting_.options.handshake);
  if (setting_.options.segment > 0) limit_segments(socket.get(), setting_.options.segment);
  if (::connect(socket.get(), address.get(), address.size()) != 0) {
    if (errno != EINPROGRESS) throw NetError(error_text(errno));
    Watch watch(loop_, socket.get());
    const bool in_time = co_await watch.writable(deadline);
    if (!in_time) throw NetError("no answer to the attempt to connect (a firewall?)");
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) throw NetError(error_text(error));
  // If no process listens at a port of this machine, the kernel may connect a socket to itself.
  const bool to_itself = SocketAddress::of_this_end(socket.get()).endpoint() == address.endpoint();
  if (to_itself) throw NetError(error_text(ECONNREFUSED));
  co_return std::make_shared<Conversation>(loop_, std::move(socket), address);
}

}  // namespace tacit::net
