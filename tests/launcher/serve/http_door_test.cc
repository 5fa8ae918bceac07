// Slow clients do not keep others out: with too many connections, the one that has waited longest makes room, and the clients of
// the loopback take no place of the socket's.
#include "launcher/serve/http_door.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <fmt/format.h>

#include "net/descriptor.h"
#include "net/rendezvous/reserved_port.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int kMostConnections = 64;

// A client with blocking calls. A test that waits for ever is a failure by the time-out of ctest.
class Client {
 public:
  static Client at(const std::filesystem::path& socket) {
    Client client(AF_UNIX);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket.native().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(client.fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return client;
  }
  static Client at(int port) {
    Client client(AF_INET);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(client.fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return client;
  }

  void send(std::string_view text) const { ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL); }
  // The beginning of an answer; "": the door closed the connection.
  std::string received() const {
    std::string text(4096, '\0');
    const ssize_t got = ::recv(fd_.get(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
  }
  std::string asked() const {
    send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return received();
  }

 private:
  explicit Client(int family) : fd_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  net::Descriptor fd_;
};

class Door : public testing::Test {
 protected:
  // Answers at once, or keeps the answers for later.
  void open(bool answers) {
    door_.emplace(
        socket_, reserved_.at("127.0.0.1"),
        [this, answers](std::string_view, std::string_view, const std::string&, PredictionApi::Respond respond) {
          if (answers) return respond({});
          const std::lock_guard lock(mutex_);
          kept_.push_back(std::move(respond));
        },
        [](const std::string&) {});
  }
  std::size_t kept() {
    const std::lock_guard lock(mutex_);
    return kept_.size();
  }
  void answer_all() {
    const std::lock_guard lock(mutex_);
    for (const PredictionApi::Respond& respond : kept_) respond({});
    kept_.clear();
  }

  const TemporaryFolder folder_;
  const std::filesystem::path socket_ = folder_.path() / "door";
  const net::ReservedPort reserved_;
  const int port_ = reserved_.number();
  std::mutex mutex_;
  std::vector<PredictionApi::Respond> kept_;
  std::optional<HttpDoor> door_;
};

TEST_F(Door, ClosesTheConnectionThatWaitedLongestForANewOne) {
  open(true);
  for (const bool unix_socket : {true, false}) {
    const auto connect = [&] { return unix_socket ? Client::at(socket_) : Client::at(port_); };
    std::vector<Client> slow;
    for (int i = 0; i < 10 * kMostConnections; ++i) {
      slow.push_back(connect());
      if (i % 3 == 1) slow.back().send("GET /v1/sta");
      if (i % 3 == 2)
        slow.back().send("POST /v1/predictions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n[");
      if (i % 50 == 0) {
        EXPECT_THAT(connect().asked(), StartsWith("HTTP/1.1 200 ")) << i;
      }
    }
    EXPECT_EQ(slow.front().received(), "") << "it has waited longest";
    EXPECT_THAT(connect().asked(), StartsWith("HTTP/1.1 200 "));
    slow.erase(slow.begin(), slow.end() - 3);
    EXPECT_THAT(slow.front().asked(), StartsWith("HTTP/1.1 ")) << "the last ones are open";
  }
}

// A connection that waits for its answer is never closed for another one.
TEST_F(Door, KeepsConnectionsThatWaitForAnswers) {
  open(false);
  std::vector<Client> waiting;
  for (int i = 0; i < kMostConnections; ++i) {
    waiting.push_back(Client::at(port_));
    waiting.back().send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  while (kept() < kMostConnections) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::string refused = Client::at(port_).asked();
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(refused, HasSubstr("64 connections wait for answers already: ask again later"));
  const Client other = Client::at(socket_);
  other.send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n");
  while (kept() < kMostConnections + 1)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the socket has places of its own
  answer_all();
  EXPECT_THAT(other.received(), StartsWith("HTTP/1.1 200 "));
  for (const Client& one : waiting) EXPECT_THAT(one.received(), StartsWith("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace tacit::launcher
