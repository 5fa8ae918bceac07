#include "net/tcp/poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "net/error.h"

namespace tacit::net {

namespace {

ConfigError no_resources(const char* what) {
  return ConfigError(std::string("cannot make ") + what + ": " + std::system_category().message(errno) +
                     "; raise the limit on open files (ulimit -n)");
}

}  // namespace

Poller::Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!epoll_ || !event_) throw no_resources("an epoll set");
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;  // null: no lane; the event only wakes
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, event_.get(), &event) != 0) throw no_resources("an epoll set");
}

void Poller::add(int socket, Lane& lane, Interest interest) { control(EPOLL_CTL_ADD, socket, lane, interest); }
void Poller::change(int socket, Lane& lane, Interest interest) { control(EPOLL_CTL_MOD, socket, lane, interest); }

void Poller::remove(int socket) { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, socket, nullptr); }

void Poller::control(int operation, int socket, Lane& lane, Interest interest) {
  epoll_event event{};
  if (interest.read) event.events |= EPOLLIN;
  if (interest.write) event.events |= EPOLLOUT;
  event.data.ptr = &lane;
  if (::epoll_ctl(epoll_.get(), operation, socket, &event) != 0) throw no_resources("an epoll entry");
}

void Poller::wait(std::chrono::nanoseconds timeout, std::vector<Lane*>& ready) {
  std::array<epoll_event, 64> events;
  // Rounded up: an early return would make the caller loop without sleeping.
  const auto ms = timeout.count() <= 0 ? 0 : std::min<std::int64_t>((timeout.count() + 999'999) / 1'000'000, 60'000);
  const int n = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(ms));
  ready.clear();
  for (int i = 0; i < n; ++i) {
    auto* lane = static_cast<Lane*>(events[static_cast<std::size_t>(i)].data.ptr);
    if (lane != nullptr) {
      ready.push_back(lane);
      continue;
    }
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t drained = ::read(event_.get(), &count, sizeof count);
  }
}

void Poller::wake() {
  const std::uint64_t one = 1;
  // A full counter means that it is already awake.
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);
}

}  // namespace tacit::net
