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
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "net/error.h"
#include "net/thread.h"

namespace tacit::launcher {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostClients = 32;
constexpr std::size_t kMostRequest = 8192;
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{20};

// One connection: first its request is read, then the response is sent.
struct Client {
  net::Descriptor socket;
  Clock::time_point deadline;
  std::string request, response;
  bool answered = false;

  bool has_asked() const { return request.size() >= kMostRequest || request.find("\r\n\r\n") != std::string::npos; }
  bool is_over() const { return (answered && response.empty()) || Clock::now() >= deadline; }
  short waits_for() const { return answered ? POLLOUT : POLLIN; }
};

// Reads the bytes that have arrived. False: the client will send no more.
bool read_more(Client& client) {
  std::array<char, 1024> some{};
  const ssize_t got = ::recv(client.socket.get(), some.data(), some.size(), 0);
  if (got > 0) client.request.append(some.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EAGAIN);
}

// False: the client is gone.
bool send_more(Client& client) {
  const ssize_t sent = ::send(client.socket.get(), client.response.data(), client.response.size(), MSG_NOSIGNAL);
  if (sent > 0) client.response.erase(0, static_cast<std::size_t>(sent));
  if (client.response.empty()) ::shutdown(client.socket.get(), SHUT_WR);
  return sent >= 0 || errno == EAGAIN;
}

// Clients are in the order of their deadlines; a negative time waits for ever.
int milliseconds_to_first(const std::deque<Client>& clients) {
  if (clients.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(clients.front().deadline - Clock::now()).count();
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
                       std::function<std::string()> text, std::chrono::milliseconds patience)
    : path_(std::move(path)),
      text_(std::move(text)),
      patience_(patience),
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
  std::deque<Client> clients;
  while (true) {
    std::vector<pollfd> watched{{end_.get(), POLLIN, 0}};
    for (const Client& client : clients) watched.push_back({client.socket.get(), client.waits_for(), 0});
    for (const net::Descriptor& socket : listeners_.sockets) watched.push_back({socket.get(), POLLIN, 0});
    const int ready = ::poll(watched.data(), watched.size(), milliseconds_to_first(clients));
    if (ready > 0 && watched.front().revents != 0) return;
    // poll() itself fails where the limit of descriptors fell below their number.
    if (ready < 0 && errno != EINTR) std::this_thread::sleep_for(kPauseWithoutDescriptors);
    auto state = watched.begin() + 1;
    for (Client& client : clients) {
      const bool moves = ready > 0 && (state++)->revents != 0;
      if (moves && !client.answered) {
        const bool more = read_more(client);
        if (!more || client.has_asked()) client.response = response_to(client.request), client.answered = true;
      }
      if (moves && client.answered && !send_more(client)) client.response.clear();
    }
    std::erase_if(clients, std::mem_fn(&Client::is_over));
    for (; ready > 0 && state != watched.end(); ++state) {
      if (state->revents == 0) continue;
      net::Descriptor socket(::accept4(state->fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (socket) {
        if (clients.size() == kMostClients) clients.pop_front();
        clients.push_back({std::move(socket), Clock::now() + patience_, {}, {}});
      } else if (errno != EAGAIN) {
        // A connection that cannot be accepted stays in the queue, and poll() returns at once again.
        std::this_thread::sleep_for(kPauseWithoutDescriptors);
      }
    }
  }
}

std::string TextServer::response_to(const std::string& request) const {
  const bool here = path_in(request) == path_;
  const std::string body = here ? text_() : fmt::format("only {} is here\n", path_);
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: "
      "close\r\n\r\n{}",
      here ? "200 OK" : "404 Not Found", body.size(), request.starts_with("HEAD ") ? "" : body);
}

}  // namespace tacit::launcher
