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
#include <cerrno>
#include <chrono>
#include <deque>
#include <memory>

#include "net/error.h"
#include "net/thread.h"

namespace tacit::net {

namespace {

using Clock = std::chrono::steady_clock;

// A client that is slower than this, or says more, is left.
constexpr std::chrono::seconds kPatience{1};
constexpr std::size_t kMostRequest = 8192;
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{20};
constexpr std::size_t kMostClients = 64;  // at once; the oldest makes room for the newest

int left_ms(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

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

// Of HEAD, all but the body.
std::string response(const char* status, const std::string& body, bool head) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: "
      "close\r\n\r\n{}",
      status, body.size(), head ? "" : body);
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
  try {
    thread_ = start_thread("serves " + setting, [this] { serve(); });
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

// One connection: it says a request, and is told the answer.
class TextServer::Client {
 public:
  explicit Client(Descriptor socket) : socket_(std::move(socket)), deadline_(Clock::now() + kPatience) {}

  pollfd watched() const { return {socket_.get(), static_cast<short>(answer_.empty() ? POLLIN : POLLOUT), 0}; }
  Clock::time_point deadline() const { return deadline_; }
  bool over() const { return over_; }

  void go_on(const TextServer& server) {
    if (answer_.empty()) {
      hear();
      if (whole_) answer_ = server.answer(request_);
    }
    if (!answer_.empty()) tell();
  }

 private:
  // Up to the empty line that ends its head; less if the client goes, or says too much.
  void hear() {
    std::array<char, 1024> some{};
    const ssize_t got = ::recv(socket_.get(), some.data(), some.size(), 0);
    if (got < 0) {
      over_ = errno != EAGAIN && errno != EINTR;
      return;
    }
    request_.append(some.data(), static_cast<std::size_t>(got));
    whole_ = got == 0 || request_.size() >= kMostRequest || request_.find("\r\n\r\n") != std::string::npos;
  }

  void tell() {
    const ssize_t sent = ::send(socket_.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      over_ = errno != EAGAIN && errno != EINTR;
      return;
    }
    answer_.erase(0, static_cast<std::size_t>(sent));
    if (!answer_.empty()) return;
    ::shutdown(socket_.get(), SHUT_WR);
    over_ = true;
  }

  Descriptor socket_;
  Clock::time_point deadline_;
  std::string request_, answer_;
  bool whole_ = false, over_ = false;
};

void TextServer::serve() {
  std::deque<Client> clients;  // in the order in which they came
  const std::size_t listeners = listeners_.sockets.size();
  bool pausing = false;  // no descriptor was left: listeners that stay readable are not looked at for a moment
  while (true) {
    std::vector<pollfd> watched{{end_.get(), POLLIN, 0}};
    for (const Descriptor& socket : listeners_.sockets) watched.push_back({pausing ? -1 : socket.get(), POLLIN, 0});
    for (const Client& client : clients) watched.push_back(client.watched());
    int wait = clients.empty() ? -1 : left_ms(clients.front().deadline());
    if (constexpr int kPause = kPauseWithoutDescriptors.count(); pausing && (wait < 0 || wait > kPause)) wait = kPause;
    pausing = false;
    if (::poll(watched.data(), watched.size(), wait) < 0) {
      if (errno != EINTR) std::this_thread::sleep_for(kPauseWithoutDescriptors);  // as where the limit fell below them
      continue;
    }
    if (watched.front().revents != 0) return;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      if (watched[1 + listeners + i].revents != 0) clients[i].go_on(*this);
    }
    const Clock::time_point now = Clock::now();
    std::erase_if(clients, [now](const Client& client) { return client.over() || client.deadline() <= now; });
    for (std::size_t i = 1; i <= listeners; ++i) {
      if (watched[i].revents == 0) continue;
      Descriptor connection(::accept4(watched[i].fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!connection) {
        pausing = pausing || errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        continue;
      }
      if (clients.size() == kMostClients) clients.pop_front();
      clients.emplace_back(std::move(connection));
    }
  }
}

std::string TextServer::answer(const std::string& request) const {
  const bool head = request.starts_with("HEAD ");
  if (path_in(request) == path_) return response("200 OK", text_(), head);
  return response("404 Not Found", fmt::format("only {} is here\n", path_), head);
}

}  // namespace tacit::net
