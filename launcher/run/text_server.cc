#include "launcher/run/text_server.h"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

#include "net/error.h"
#include "net/thread.h"

namespace tacit::launcher {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{1};  // with a client, in all
constexpr std::size_t kMostRequest = 8192;
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{20};

int left_ms(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

std::vector<net::SocketAddress> addresses_of(const net::Endpoint& where, const std::string& setting) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(where.host.c_str(), std::to_string(where.port).c_str(), &hints, &found);
  if (failed != 0) {
    throw ConfigError(fmt::format("{} {}: {}; name an address of this machine, as 127.0.0.1:9464", setting,
                                  where.text(), ::gai_strerror(failed)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  std::vector<net::SocketAddress> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    addresses.emplace_back(one->ai_addr, one->ai_addrlen);
  }
  return addresses;
}

// "GET /metrics?x=1 HTTP/1.1": the path, if it is GET or HEAD.
std::string_view path_in(std::string_view request) {
  for (const std::string_view method : {"GET ", "HEAD "}) {
    if (!request.starts_with(method)) continue;
    const std::string_view target =
        request.substr(method.size(), request.find_first_of(" \r\n", method.size()) - method.size());
    return target.substr(0, target.find('?'));
  }
  return {};
}

}  // namespace

TextServer::TextServer(const net::Endpoint& where, const std::string& setting, std::string path,
                       std::function<std::string()> text)
    : path_(std::move(path)),
      text_(std::move(text)),
      listeners_(net::listen_at(addresses_of(where, setting), setting)),
      end_(::eventfd(0, EFD_CLOEXEC)) {
  if (listeners_.sockets.empty()) {
    throw ConfigError(fmt::format("{} {}: this machine does not have that address", setting, where.text()));
  }
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits it: signals are for other threads
  try {
    thread_ = net::start_thread("serves " + setting, [this] { serve(); });
  } catch (const ConfigError&) {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TextServer::~TextServer() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(end_.get(), &one, sizeof one);
  thread_.join();
}

void TextServer::serve() const {
  while (true) {
    std::vector<pollfd> watched{{end_.get(), POLLIN, 0}};
    for (const net::Descriptor& socket : listeners_.sockets) watched.push_back({socket.get(), POLLIN, 0});
    const int ready = ::poll(watched.data(), watched.size(), -1);
    if (ready > 0 && watched.front().revents != 0) return;
    for (std::size_t i = 1; ready > 0 && i < watched.size(); ++i) {
      if (watched[i].revents == 0) continue;
      const net::Descriptor client(::accept4(watched[i].fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (client) answer(client.get());
      // A connection that cannot be accepted stays in the queue, and poll() returns at once again.
      if (!client && errno != EAGAIN) std::this_thread::sleep_for(kPauseWithoutDescriptors);
    }
    // poll() itself fails where the limit of descriptors fell below their number.
    if (ready < 0 && errno != EINTR) std::this_thread::sleep_for(kPauseWithoutDescriptors);
  }
}

// False: time is over, or the server is to end.
bool TextServer::wait_for(int fd, short events, int milliseconds) const {
  std::array<pollfd, 2> watched{{{fd, events, 0}, {end_.get(), POLLIN, 0}}};
  return ::poll(watched.data(), watched.size(), milliseconds) > 0 && watched[0].revents != 0;
}

void TextServer::answer(int client) const {
  const Clock::time_point deadline = Clock::now() + kPatience;
  std::string request;
  while (request.size() < kMostRequest && request.find("\r\n\r\n") == std::string::npos) {
    if (!wait_for(client, POLLIN, left_ms(deadline))) return;
    std::array<char, 1024> some{};
    const ssize_t got = ::recv(client, some.data(), some.size(), 0);
    if (got < 0) return;
    if (got == 0) break;
    request.append(some.data(), static_cast<std::size_t>(got));
  }
  const bool here = path_in(request) == path_;
  const std::string body = here ? text_() : fmt::format("only {} is here\n", path_);
  std::string response = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: "
      "close\r\n\r\n{}",
      here ? "200 OK" : "404 Not Found", body.size(), request.starts_with("HEAD ") ? "" : body);
  while (!response.empty() && wait_for(client, POLLOUT, left_ms(deadline))) {
    const ssize_t sent = ::send(client, response.data(), response.size(), MSG_NOSIGNAL);
    if (sent < 0) return;
    response.erase(0, static_cast<std::size_t>(sent));
  }
  ::shutdown(client, SHUT_WR);
}

}  // namespace tacit::launcher
