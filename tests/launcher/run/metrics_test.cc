// What Prometheus reads of a rank, and how its server bears with clients.
#include "launcher/run/metrics.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "launcher/run/metrics_server.h"
#include "net/error.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

gnn::EpochEvent event_of(std::int64_t epoch) {
  gnn::EpochEvent event;
  event.epoch = epoch;
  event.cost.rounds = 15;
  event.cost.bytes = 98667;
  event.usage.seconds = 0.25;
  event.usage.cpu_seconds = 0.5;
  event.traffic.emplace();
  event.traffic->rounds = 15;
  event.traffic->peers.resize(3);
  event.traffic->peers[1].payload_sent = 98667;
  event.traffic->peers[2].payload_received = 1000;
  return event;
}

TEST(Metrics, TellWhatThisRankWasShownAndAddUpTheRest) {
  Metrics metrics("a \"job\"\n", 0, 200);
  metrics.begin("training");
  metrics.take(event_of(1));
  EXPECT_THAT(metrics.text(), AllOf(Not(HasSubstr("training_loss")), Not(HasSubstr("tacit_metric"))));
  gnn::EpochEvent second = event_of(2);
  second.loss = 0.75;
  second.readings.push_back({{gnn::Metric::kRootMeanSquaredError, gnn::Part::kTest, {}}, 11.5});
  metrics.take(second);
  metrics.checkpoint(2);
  const std::string text = metrics.text();
  for (const char* line :
       {"tacit_training_loss{job=\"a \\\"job\\\"", ",rank=\"0\"} 0.75\n", "metric=\"test rmse\"} 11.5\n",
        "phase=\"training\"} 1\n", "tacit_epochs_done{", "tacit_rounds_total{", "peer=\"1\"} 197334\n",
        "peer=\"2\"} 2000\n", "# TYPE tacit_sent_bytes_total counter\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_EQ(text.find('\r'), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("# HELP tacit_") || line.starts_with("# TYPE tacit_") || line.starts_with("tacit_"))
        << line;
  }
}

class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
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

TEST(MetricsServer, AnswersOneAfterTheOther) {
  const MetricsServer server({"127.0.0.1", 0}, [] { return "tacit_phase 1\n"; });
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(got(server.port(), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"),
                AllOf(HasSubstr("HTTP/1.1 200 OK"), HasSubstr("Content-Length: 14\r\n"), HasSubstr("tacit_phase 1\n")));
  }
  EXPECT_THAT(got(server.port(), "GET /etc/passwd HTTP/1.1\r\n\r\n"), HasSubstr("404"));
  EXPECT_THAT(got(server.port(), "POST /metrics HTTP/1.1\r\n\r\n"), HasSubstr("404"));
}

TEST(MetricsServer, LeavesClientsThatSayNothingOrTooMuch) {
  std::uint16_t port = 0;
  {
    const MetricsServer server({"127.0.0.1", 0}, [] { return "tacit_phase 1\n"; });
    port = server.port();
    const Client silent(port);
    EXPECT_THAT(got(port, std::string(8192, 'x')), HasSubstr("404"));
    EXPECT_THAT(got(port, "GET /metrics HTTP/1.0\r\n\r\n"), HasSubstr("200 OK"));
    const Client waiting(port);  // the server ends all the same
  }
  EXPECT_FALSE(Client(port).connected());
}

TEST(MetricsServer, SaysWhyItCannotListen) {
  const auto refused = [](const net::Endpoint& where) {
    try {
      const MetricsServer server(where, [] { return ""; });
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("it could");
  };
  const MetricsServer first({"127.0.0.1", 0}, [] { return ""; });
  EXPECT_THAT(refused({"127.0.0.1", first.port()}), AllOf(HasSubstr("in use"), HasSubstr("--metrics")));
  EXPECT_THAT(refused({"192.0.2.1", 9464}), HasSubstr("does not have that address"));
  EXPECT_THAT(refused({"no.such.host.invalid", 9464}), HasSubstr("--metrics no.such.host.invalid:9464"));
}

}  // namespace
}  // namespace tacit::launcher
