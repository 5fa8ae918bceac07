#include "net/rendezvous/reception.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "net/error.h"
#include "net/tcp/tcp_info.h"

namespace tacit::net {

namespace {

constexpr std::chrono::milliseconds kPauseWithoutDescriptors{20};
constexpr std::chrono::seconds kPartingTime{1};

}  // namespace

Reception::Reception(Loop& loop, const Setting& setting, Receive receive)
    : loop_(loop),
      setting_(setting),
      receive_(std::move(receive)),
      most_unproven_(most_unproven(setting.world.size())),
      refusals_(setting.options.log) {}

void Reception::open(std::vector<Descriptor> listeners) {
  for (Descriptor& listener : listeners) {
    if (setting_.options.segment > 0) limit_segments(listener.get(), setting_.options.segment);
    loop_.spawn(accept_from(std::move(listener)));
  }
}

Task Reception::accept_from(Descriptor listener) {
  Watch watch(loop_, listener.get());  // destroyed before the listener
  while (true) {
    co_await watch.readable(kNever);
    const bool more_room = accept_one(listener.get());
    if (!more_room) co_await loop_.sleep_until(Clock::now() + kPauseWithoutDescriptors);
  }
}

// Returns false if no descriptor is left for a connection.
bool Reception::accept_one(int listener) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* address = reinterpret_cast<sockaddr*>(&storage);
  Descriptor socket(::accept4(listener, address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket) {
    const bool none_left = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    if (none_left && !unproven_.empty()) unproven_.front()->stop_receiving();
    return !none_left;  // other errors concern this connection only, or there was no connection
  }
  notice_dead_peers(socket.get(), setting_.options.handshake);
  make_room();
  auto talk = std::make_shared<Conversation>(loop_, std::move(socket), SocketAddress(address, size));
  unproven_.push_back(talk.get());
  loop_.spawn(greet(std::move(talk)));
  return true;
}

void Reception::make_room() {
  while (std::ssize(unproven_) >= most_unproven_) {
    unproven_.front()->stop_receiving();
    unproven_.pop_front();
  }
}

Task Reception::greet(std::shared_ptr<Conversation> talk) {
  const auto deadline = Clock::now() + setting_.options.handshake;
  Message first;
  std::string refused;
  std::string malformed;
  bool dropped = false;
  try {
    co_await talk->answer(setting_.tls.get(), deadline);
    first = co_await talk->receive(deadline);
    dropped = talk->receiving_stopped();
  } catch (const NetError& error) {
    refused = error.what();
  } catch (const ProtocolError& error) {
    malformed = error.what();
  } catch (const Stopped&) {
    dropped = true;
  }
  if (loop_.stopped()) co_return;
  if (dropped) refused = "it had not proven who it is when there were too many of its kind";
  if (!refused.empty()) refusals_.add(talk->other_end().text(), refused);
  if (!refused.empty() && !dropped) co_await part(talk);
  std::erase(unproven_, talk.get());
  if (!refused.empty()) co_return;
  if (malformed.empty()) {
    co_await receive_(std::move(talk), std::move(first));
  } else {
    co_await refuse_malformed(std::move(talk), malformed);
  }
}

Task Reception::part(std::shared_ptr<Conversation> talk) {
  try {
    co_await talk->part(Clock::now() + kPartingTime);
  } catch (const Stopped&) {  // dropped to make room for another connection
  }
}

Task Reception::refuse(std::shared_ptr<Conversation> talk, Failure why) {
  refusals_.add(talk->other_end().text(), why.text);
  try {
    co_await talk->send(encode(why), Clock::now() + kPartingTime);
    co_await talk->part(Clock::now() + kPartingTime);
  } catch (const NetError&) {  // the other end has closed already
  }
}

Task Reception::refuse_malformed(std::shared_ptr<Conversation> talk, std::string why) {
  const int rank = setting_.proven_rank(*talk);
  const std::string who = rank < 0 ? talk->other_end().text() : setting_.describe(rank, talk->other_end().endpoint());
  const Failure failure{
      Exit::kProtocol, rank,
      fmt::format("{} does not follow the protocol: {}; do all ranks run the same version of Tacit?", who, why)};
  co_await refuse(std::move(talk), failure);
  if (rank >= 0) raise(failure);
}

}  // namespace tacit::net
