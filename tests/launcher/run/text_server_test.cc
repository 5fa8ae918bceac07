// The answers of a server of one text, also for clients that say nothing or too much.
#include "launcher/run/text_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <chrono>
#include <ctime>
#include <functional>
#include <thread>

#include "net/error.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Client {
 public:
  // `before` runs after the client has its socket and before it calls.
  explicit Client(
      std::uint16_t port, const std::function<void()>& before = [] {})
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    before();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{20, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  void say(std::string_view words) const {
    EXPECT_EQ(::send(socket_.get(), words.data(), words.size(), MSG_NOSIGNAL), std::ssize(words));
  }
  std::string heard() const {
    std::string all(1 << 16, '\0');
    std::size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < all.size();
         length += static_cast<std::size_t>(std::max<ssize_t>(got, 0))) {
      got = ::recv(socket_.get(), all.data() + length, all.size() - length, 0);
    }
    all.resize(length);
    return all;
  }
  bool connected() const { return connected_; }

 private:
  net::Descriptor socket_;
  bool connected_ = false;
};

std::string got(std::uint16_t port, std::string_view words) {
  const Client client(port);
  client.say(words);
  return client.heard();
}

TEST(TextServer, AnswersOneAfterTheOther) {
  const TextServer server({"127.0.0.1", 0}, "--metrics", "/metrics", [] { return "tacit_phase 1\n"; });
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(got(server.port(), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"),
                AllOf(HasSubstr("HTTP/1.1 200 OK"), HasSubstr("Content-Length: 14\r\n"), HasSubstr("tacit_phase 1\n")));
  }
  EXPECT_THAT(got(server.port(), "GET /metrics?x=1 HTTP/1.1\r\n\r\n"), HasSubstr("tacit_phase 1\n"));
  EXPECT_THAT(got(server.port(), "HEAD /metrics HTTP/1.1\r\n\r\n"),
              AllOf(HasSubstr("200 OK"), HasSubstr("Content-Length: 14\r\n"), Not(HasSubstr("tacit_phase"))));
  EXPECT_THAT(got(server.port(), "GET /metrics2 HTTP/1.1\r\n\r\n"), HasSubstr("404"));
  EXPECT_THAT(got(server.port(), "GET /etc/passwd HTTP/1.1\r\n\r\n"), HasSubstr("404"));
  EXPECT_THAT(got(server.port(), "POST /metrics HTTP/1.1\r\n\r\n"), HasSubstr("404"));
}

TEST(TextServer, LeavesClientsThatSayNothingOrTooMuch) {
  std::uint16_t port = 0;
  {
    const TextServer server({"127.0.0.1", 0}, "--metrics", "/metrics", [] { return "tacit_phase 1\n"; });
    port = server.port();
    const Client silent(port);
    EXPECT_THAT(got(port, std::string(8192, 'x')), HasSubstr("404"));
    EXPECT_THAT(got(port, "GET /metrics HTTP/1.0\r\n\r\n"), HasSubstr("200 OK"));
    const Client waiting(port);  // the server still ends
  }
  EXPECT_FALSE(Client(port).connected());
}

TEST(TextServer, AnswersOthersBesideClientsThatSayOrReadNothing) {
  const std::string much(8 << 20, 'x');  // more than the buffers of a connection
  const TextServer server(
      {"127.0.0.1", 0}, "--metrics", "/metrics", [&] { return much; }, std::chrono::hours(1));
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 3; ++i) {
    slow.push_back(std::make_unique<Client>(server.port()));
    slow.push_back(std::make_unique<Client>(server.port()));
    slow.back()->say("GET /metrics HTTP/1.1\r\n\r\n");
  }
  EXPECT_THAT(got(server.port(), "GET /other HTTP/1.1\r\n\r\n"), HasSubstr("404"));
  EXPECT_THAT(got(server.port(), "GET /metrics HTTP/1.1\r\n\r\n"), HasSubstr("200 OK"));
  slow[0]->say("GET /other HTTP/1.1\r\n\r\n");
  EXPECT_THAT(slow[0]->heard(), HasSubstr("404")) << "it was only slow";
}

TEST(TextServer, LeavesTheOldestOfTooManyClients) {
  const TextServer server(
      {"127.0.0.1", 0}, "--metrics", "/metrics", [] { return "tacit_phase 1\n"; }, std::chrono::hours(1));
  std::vector<std::unique_ptr<Client>> silent;
  for (int i = 0; i < 40; ++i) silent.push_back(std::make_unique<Client>(server.port()));
  EXPECT_THAT(got(server.port(), "GET /metrics HTTP/1.1\r\n\r\n"), HasSubstr("200 OK"));
  for (const std::size_t oldest : {0u, 8u}) EXPECT_EQ(silent[oldest]->heard(), "");
  silent[9]->say("GET /metrics HTTP/1.1\r\n\r\n");
  EXPECT_THAT(silent[9]->heard(), HasSubstr("200 OK"));
}

TEST(TextServer, LeavesASilentClientAfterATime) {
  const std::chrono::milliseconds patience(300);
  const TextServer server(
      {"127.0.0.1", 0}, "--metrics", "/metrics", [] { return "tacit_phase 1\n"; }, patience);
  const auto begin = std::chrono::steady_clock::now();
  const Client silent(server.port());
  EXPECT_EQ(silent.heard(), "");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, patience);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

// A connection that cannot be accepted stays, and poll() keeps reporting it: the server looks at it
// from time to time.
TEST(TextServer, DoesNotSpinWhereNoDescriptorIsLeft) {
  const TextServer server({"127.0.0.1", 0}, "--metrics", "/metrics", [] { return "tacit_phase 1\n"; });
  const Client refused_at_first(server.port(), [] {
    rlimit none{};
    ::getrlimit(RLIMIT_NOFILE, &none);
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_NOFILE, &none);
  });
  const std::clock_t begin = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(800));
  const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  rlimit all{};
  ::getrlimit(RLIMIT_NOFILE, &all);
  all.rlim_cur = all.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &all);
  EXPECT_LT(spent, 0.2);
  refused_at_first.say("GET /metrics HTTP/1.1\r\n\r\n");
  EXPECT_THAT(refused_at_first.heard(), HasSubstr("200 OK"));
}

TEST(TextServer, SaysWhyItCannotListen) {
  const auto refused = [](const net::Endpoint& where) {
    try {
      const TextServer server(where, "--metrics", "/metrics", [] { return ""; });
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("it could");
  };
  const TextServer first({"127.0.0.1", 0}, "--metrics", "/metrics", [] { return ""; });
  EXPECT_THAT(refused({"127.0.0.1", first.port()}), AllOf(HasSubstr("in use"), HasSubstr("--metrics")));
  EXPECT_THAT(refused({"192.0.2.1", 9464}), HasSubstr("does not have that address"));
  EXPECT_THAT(refused({"no.such.host.invalid", 9464}), HasSubstr("--metrics no.such.host.invalid:9464"));
}

}  // namespace
}  // namespace tacit::launcher
