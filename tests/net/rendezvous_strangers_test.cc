// Strangers, which have no key in the roster, cannot disturb a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <future>
#include <thread>

#include "net/error.h"
#include "net/rendezvous/rendezvous.h"
#include "tests/net/puppet.h"
#include "tests/net/rendezvous_run.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

std::vector<Descriptor> connect_idly(std::uint16_t port, int count) {
  std::vector<Descriptor> connections;
  for (int i = 0; i < count; ++i) connections.push_back(connect_to(port));
  return connections;
}

void say(const Descriptor& connection, std::string_view text) {
  ::send(connection.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

bool is_closed_within(const Descriptor& connection, std::chrono::milliseconds time) {
  pollfd end{connection.get(), POLLRDHUP, 0};
  return ::poll(&end, 1, static_cast<int>(time.count())) == 1;
}

// A client of plain OpenSSL that speaks at most `version` and accepts any key of the server.
void call_with_openssl(std::uint16_t port, int version, const Identity* identity) {
  const Descriptor connection = connect_to(port);
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_max_proto_version(context, version);
  SSL_CTX_set_security_level(context, 0);
  if (identity != nullptr) {
    SSL_CTX_use_certificate(context, identity->certificate());
    SSL_CTX_use_PrivateKey(context, identity->key());
  }
  SSL* ssl = SSL_new(context);
  SSL_set_fd(ssl, connection.get());
  SSL_connect(ssl);
  char byte = 0;
  SSL_read(ssl, &byte, 1);  // until the server has decided
  SSL_free(ssl);
  SSL_CTX_free(context);
}

const std::string kHttp = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const std::string kBeginOfAClientHello = std::string("\x16\x03\x01\x01\x00\x01\x00\x00\xfc\x03\x03", 11);

TEST(Strangers, CrowdAtThePortsDoesNotKeepRealRanksOut) {
  RendezvousRun run(3);
  const ReservedPort second_port;
  run.options(1).listen = second_port.at("127.0.0.1");
  std::vector<Outcome> early;
  std::jthread first_two([&] { early = run.join_some({0, 1}); });
  const Identity unknown = Identity::generate();
  std::vector<Descriptor> crowd;
  for (const std::uint16_t port : {run.port.number(), second_port.number()}) {
    std::ranges::move(connect_idly(port, 250), std::back_inserter(crowd));
    for (int i = 0; i < 10; ++i) say(crowd.emplace_back(connect_to(port)), kHttp);
    for (int i = 0; i < 10; ++i) say(crowd.emplace_back(connect_to(port)), std::string(5000, '\xa5'));
    for (int i = 0; i < 10; ++i) say(crowd.emplace_back(connect_to(port)), kBeginOfAClientHello);
    connect_idly(port, 100);  // and close at once: a port scan
    call_with_openssl(port, TLS1_2_VERSION, &run.ensemble.identities[2]);
    call_with_openssl(port, TLS1_3_VERSION, &unknown);
    call_with_openssl(port, TLS1_3_VERSION, nullptr);
  }
  const Outcome last = run.join_some({2}).front();
  first_two.join();
  for (const Outcome& outcome : {early[0], early[1], last}) EXPECT_EQ(outcome.exit, Exit::kOk) << outcome;
  expect_links_work(run.formations);
  const std::string log = run.log_of(0);
  EXPECT_THAT(log, HasSubstr("refused a connection from 127.0.0.1:"));
  EXPECT_LT(std::ranges::count(log, '\n'), 60) << log;
}

TEST(Strangers, EachKindIsLoggedWithItsReason) {
  RendezvousRun run(2);
  run.options(0).handshake = 200ms;
  run.options(0).deadline = 1s;
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  const Identity unknown = Identity::generate();
  const std::uint16_t port = run.port.number();
  const auto idle = connect_idly(port, 2);
  const Descriptor web = connect_to(port);
  say(web, kHttp);
  const Descriptor half = connect_to(port);
  say(half, kBeginOfAClientHello);
  call_with_openssl(port, TLS1_2_VERSION, &run.ensemble.identities[1]);
  call_with_openssl(port, TLS1_3_VERSION, nullptr);
  call_with_openssl(port, TLS1_3_VERSION, &unknown);
  const Outcome outcome = master.get();
  EXPECT_EQ(outcome.exit, Exit::kNet);
  EXPECT_EQ(outcome.culprit, 1);
  EXPECT_THAT(outcome.what,
              AllOf(HasSubstr("rank 1 (party) did not come"), HasSubstr("7 connections were refused: 2 x it "
                                                                        "said nothing in time")));
  for (const std::string& reason :
       {std::string("it said nothing in time"), std::string("it does not speak TLS ("),
        std::string("it did not complete the TLS handshake in time"), std::string("it does not speak TLS 1.3"),
        std::string("it presented no key"), "its key " + unknown.fingerprint().text() + " is not in the roster"}) {
    EXPECT_THAT(run.log_of(0), HasSubstr(reason));
  }
}

TEST(Strangers, SlowDripIsCutOffWhenTheTimeForAHandshakeIsOver) {
  RendezvousRun run(2);
  run.options(0).handshake = 300ms;
  run.options(0).deadline = 1500ms;
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  const Descriptor drip = connect_to(run.port.number());
  const auto begun = Clock::now();
  bool closed = false;
  for (std::size_t i = 0; !closed && Clock::now() < begun + 5s; ++i) {
    say(drip, kBeginOfAClientHello.substr(std::min(i, kBeginOfAClientHello.size() - 1), 1));
    closed = is_closed_within(drip, 30ms);
  }
  EXPECT_TRUE(closed);
  EXPECT_GE(Clock::now() - begun, 250ms);
  EXPECT_EQ(master.get().exit, Exit::kNet);
}

TEST(Strangers, TheOldestUnprovenConnectionMakesRoom) {
  RendezvousRun run(2);
  run.options(0).deadline = 1500ms;
  run.options(0).handshake = 1s;
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  const auto crowd = connect_idly(run.port.number(), 200);
  EXPECT_TRUE(is_closed_within(crowd.front(), 500ms));
  EXPECT_FALSE(is_closed_within(crowd.back(), 0ms));
  EXPECT_THAT(master.get().what, HasSubstr("too many of its kind"));
}

TEST(Strangers, ProcessOfAnotherKindAtTheMastersPlaceIsNotWaitedFor) {
  RendezvousRun run(2);
  const Descriptor listener = listen_to(run.port.number());
  std::jthread web_server([&] {
    const Descriptor connection(::accept(listener.get(), nullptr, nullptr));
    say(connection, "HTTP/1.1 400 Bad Request\r\n\r\n");
    is_closed_within(connection, 5s);
  });
  const Outcome outcome = run.join_some({1}).front();
  EXPECT_EQ(outcome.exit, Exit::kNet);
  EXPECT_EQ(outcome.culprit, 0);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("rank 1 called rank 0 (party) at " + run.options(0).master.text()),
                                  HasSubstr("does not speak TLS"), HasSubstr("MASTER_PORT")));
}

TEST(Strangers, PlaintextRankIsRefusedByRanksThatSpeakTls) {
  RendezvousRun run(2);
  for (int rank = 0; rank < 2; ++rank) {
    run.options(rank).deadline = 700ms;
    run.options(rank).handshake = 300ms;
  }
  run.options(1).plaintext = true;
  const auto outcomes = run.join_all();
  EXPECT_EQ(outcomes[0].exit, Exit::kNet);
  EXPECT_THAT(outcomes[0].what, AllOf(HasSubstr("rank 1"), HasSubstr("does not speak TLS")));
  EXPECT_EQ(outcomes[1].exit, Exit::kNet);
  EXPECT_THAT(outcomes[1].what, HasSubstr("rank 0"));
}

}  // namespace
}  // namespace tacit::net
