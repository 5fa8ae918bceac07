#include "net/http/text_server.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "net/error.h"

namespace tacit::net {

namespace {

using Clock = std::chrono::steady_clock;

// A client that is slower than this, or says more, is left.
constexpr std::chrono::seconds kPatience{1};
constexpr std::size_t kMostRequest = 8192;

std::vector<SocketAddress> addresses_of(const Endpoint& where, const std::string& setting) {
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
  std::vector<SocketAddress> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    addresses.emplace_back(one->ai_addr, one->ai_addrlen);
  }
  return addresses;
}

int left_ms(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

bool ready(int socket, short events, Clock::time_point deadline) {
  pollfd one{socket, events, 0};
  return ::poll(&one, 1, left_ms(deadline)) > 0;
}

// Up to the empty line that ends its head; less if the client goes or is too slow.
std::string request_from(int socket, Clock::time_point deadline) {
  std::string request;
  std::array<char, 1024> some{};
  while (request.size() < kMostRequest && request.find("\r\n\r\n") == std::string::npos) {
    if (!ready(socket, POLLIN, deadline)) break;
    const ssize_t got = ::recv(socket, some.data(), some.size(), 0);
    if (got <= 0) break;
    request.append(some.data(), static_cast<std::size_t>(got));
  }
  return request;
}

void send_all(int socket, std::string_view text, Clock::time_point deadline) {
  while (!text.empty() && ready(socket, POLLOUT, deadline)) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string response(const char* status, const std::string& body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: "
      "close\r\n\r\n{}",
      status, body.size(), body);
}

}  // namespace

TextServer::TextServer(const Endpoint& where, const std::string& setting, std::string path,
                       std::function<std::string()> text)
    : path_(std::move(path)),
      text_(std::move(text)),
      listeners_(listen_at(addresses_of(where, setting), setting)),
      end_(::eventfd(0, EFD_CLOEXEC)) {
  if (listeners_.sockets.empty()) {
    throw ConfigError(fmt::format("{} {}: this machine does not have that address", setting, where.text()));
  }
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for others
  thread_ = std::thread([this] { serve(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TextServer::~TextServer() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(end_.get(), &one, sizeof one);
  thread_.join();
}

void TextServer::serve() {
  std::vector<pollfd> watched{{end_.get(), POLLIN, 0}};
  for (const Descriptor& socket : listeners_.sockets) watched.push_back({socket.get(), POLLIN, 0});
  while (true) {
    if (::poll(watched.data(), watched.size(), -1) < 0) continue;
    if (watched.front().revents != 0) return;
    for (std::size_t i = 1; i < watched.size(); ++i) {
      if (watched[i].revents == 0) continue;
      const Descriptor connection(::accept4(watched[i].fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (connection) answer(connection);
    }
  }
}

void TextServer::answer(const Descriptor& connection) const {
  const Clock::time_point deadline = Clock::now() + kPatience;
  const std::string request = request_from(connection.get(), deadline);
  const bool wanted = request.starts_with(fmt::format("GET {} ", path_));
  const std::string other = fmt::format("only {} is here\n", path_);
  send_all(connection.get(), wanted ? response("200 OK", text_()) : response("404 Not Found", other), deadline);
  ::shutdown(connection.get(), SHUT_WR);
}

}  // namespace tacit::net
