#include "net/tcp/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstring>
#include <functional>
#include <random>
#include <thread>
#include <utility>

#include "net/error.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;

std::pair<Descriptor, Descriptor> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw NetError("socketpair failed");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// The error message of a failing step; empty if the step succeeds.
std::string said(const std::function<void()>& step) {
  try {
    step();
  } catch (const NetError& error) {
    return error.what();
  }
  return "";
}

// Both ends in one thread, in turns, until both are done or one has failed.
struct Outcome {
  bool complete = false;
  std::string client;
  std::string server;
};

Outcome shake_hands(TlsWire& client, TlsWire& server) {
  Outcome o;
  bool client_done = false, server_done = false;
  for (int turn = 0; turn < 20 && !(client_done && server_done); ++turn) {
    if (!client_done && o.client.empty()) o.client = said([&] { client_done = client.handshake(); });
    if (!server_done && o.server.empty()) o.server = said([&] { server_done = server.handshake(); });
  }
  o.complete = client_done && server_done;
  return o;
}

class Tls : public testing::Test {
 protected:
  Identity alice_ = Identity::generate();
  Identity bob_ = Identity::generate();
  Identity mallory_ = Identity::generate();
  TlsContext alice_context_{alice_, {alice_.fingerprint(), bob_.fingerprint()}};
  TlsContext bob_context_{bob_, {alice_.fingerprint(), bob_.fingerprint()}};
  TlsContext mallory_context_{mallory_, {alice_.fingerprint(), bob_.fingerprint()}};
};

struct Link {
  std::unique_ptr<TlsWire> client, server;
};

Link link(const TlsContext& client, const TlsContext& server, const Fingerprint& expected) {
  auto [a, b] = socket_pair();
  return {TlsWire::client(client, std::move(a), expected), TlsWire::server(server, std::move(b))};
}

std::vector<std::byte> some_bytes(std::size_t size) {
  std::mt19937_64 random(size);
  std::vector<std::byte> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Sends `message` from one end to the other in one thread; returns the received bytes.
std::vector<std::byte> carry(Wire& from, Wire& to, const std::vector<std::byte>& message) {
  std::vector<std::byte> received(message.size());
  std::size_t sent = 0, got = 0;
  while (got < received.size()) {
    sent += static_cast<std::size_t>(from.write(ConstBytes(message).subspan(sent)));
    from.flush();
    const std::int64_t n = to.read(Bytes(received).subspan(got));
    if (n < 0) throw NetError("closed");
    got += static_cast<std::size_t>(n);
  }
  return received;
}

TEST_F(Tls, BothEndsLearnWhoTheOtherIs) {
  Link l = link(alice_context_, bob_context_, bob_.fingerprint());
  ASSERT_TRUE(shake_hands(*l.client, *l.server).complete);
  EXPECT_EQ(l.client->peer(), bob_.fingerprint());
  EXPECT_EQ(l.server->peer(), alice_.fingerprint());
}

TEST_F(Tls, BytesArriveWhateverTheirNumber) {
  Link l = link(alice_context_, bob_context_, bob_.fingerprint());
  ASSERT_TRUE(shake_hands(*l.client, *l.server).complete);
  for (const std::size_t size : {1u, 31u, 16384u, 16385u, 262144u, 3000001u}) {
    const auto message = some_bytes(size);
    EXPECT_EQ(carry(*l.client, *l.server, message), message) << size;
    EXPECT_EQ(carry(*l.server, *l.client, message), message) << size;
  }
}

TEST_F(Tls, KeysChangeUnderwayWithoutTheReaderNoticing) {
  const TlsContext hasty(alice_, {bob_.fingerprint()}, 100'000);
  Link l = link(hasty, bob_context_, bob_.fingerprint());
  ASSERT_TRUE(shake_hands(*l.client, *l.server).complete);
  const auto message = some_bytes(2'000'000);
  EXPECT_EQ(carry(*l.client, *l.server, message), message);
  EXPECT_EQ(carry(*l.server, *l.client, message), message);
}

TEST_F(Tls, ServerRefusesAKeyOutsideTheRosterAndTheClientHearsIt) {
  Link l = link(mallory_context_, bob_context_, bob_.fingerprint());
  const Outcome o = shake_hands(*l.client, *l.server);
  EXPECT_FALSE(o.complete);
  EXPECT_THAT(o.server, HasSubstr(mallory_.fingerprint().text()));
  EXPECT_THAT(o.server, HasSubstr("not in the roster"));
  std::byte byte;
  EXPECT_THAT(said([&] { l.client->read({&byte, 1}); }), HasSubstr("refused our key"));
}

TEST_F(Tls, ClientRefusesAServerWithAnotherPinnedKey) {
  Link l = link(alice_context_, bob_context_, alice_.fingerprint());
  const Outcome o = shake_hands(*l.client, *l.server);
  EXPECT_FALSE(o.complete);
  EXPECT_THAT(o.client, HasSubstr(bob_.fingerprint().text()));
  EXPECT_THAT(o.client, HasSubstr("not the expected " + alice_.fingerprint().text()));
}

// A client of plain OpenSSL, limited as given, calls our server. Returns the server's error.
std::string server_says_to(int version, bool with_key, const Identity& identity, const TlsContext& server_context) {
  auto [a, b] = socket_pair();
  const auto server = TlsWire::server(server_context, std::move(b));
  std::jthread stranger([fd = std::move(a), version, with_key, &identity] {
    SSL_CTX* context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_max_proto_version(context, version);
    SSL_CTX_set_security_level(context, 0);
    if (with_key) {
      SSL_CTX_use_certificate(context, identity.certificate());
      SSL_CTX_use_PrivateKey(context, identity.key());
    }
    SSL* ssl = SSL_new(context);
    SSL_set_fd(ssl, fd.get());
    SSL_connect(ssl);
    SSL_free(ssl);
    SSL_CTX_free(context);
  });
  return said([&] {
    for (int turn = 0; turn < 100; ++turn) {
      if (server->handshake()) return;
      pollfd wait{server->socket(), POLLIN, 0};
      ::poll(&wait, 1, 1000);
    }
  });
}

TEST_F(Tls, OldVersionsAreRefused) {
  EXPECT_THAT(server_says_to(TLS1_2_VERSION, true, alice_, bob_context_), HasSubstr("does not speak TLS 1.3"));
}

TEST_F(Tls, ClientWithoutAKeyIsRefused) {
  EXPECT_THAT(server_says_to(TLS1_3_VERSION, false, alice_, bob_context_), HasSubstr("presented no key"));
}

TEST_F(Tls, PlaintextIsRefused) {
  for (const std::string& stranger : {std::string("GET / HTTP/1.1\r\n\r\n"), std::string("hello hello hello hello"),
                                      std::string(100, '\0'), std::string(70000, 'x')}) {
    auto [a, b] = socket_pair();
    const auto server = TlsWire::server(bob_context_, std::move(b));
    ASSERT_GT(::send(a.get(), stranger.data(), stranger.size(), MSG_DONTWAIT), 0);
    EXPECT_THAT(said([&] { server->handshake(); }), HasSubstr("does not speak TLS")) << stranger.substr(0, 20);
  }
}

TEST_F(Tls, AlteredByteOnTheWireIsNoticed) {
  auto [a, middle_a] = socket_pair();
  auto [middle_b, b] = socket_pair();
  const auto client = TlsWire::client(alice_context_, std::move(a), bob_.fingerprint());
  const auto server = TlsWire::server(bob_context_, std::move(b));
  const auto relay = [](int from, int to, bool alter) {
    std::byte buffer[65536];
    const ssize_t n = ::recv(from, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n <= 0) return;
    if (alter) buffer[n - 1] ^= std::byte{1};
    ASSERT_EQ(::send(to, buffer, static_cast<std::size_t>(n), 0), n);
  };
  bool done = false;
  for (int turn = 0; turn < 20 && !done; ++turn) {
    const bool c = client->handshake();
    relay(middle_a.get(), middle_b.get(), false);
    const bool s = server->handshake();
    relay(middle_b.get(), middle_a.get(), false);
    done = c && s;
  }
  ASSERT_TRUE(done);
  const auto message = some_bytes(100);
  client->write(message);
  client->flush();
  relay(middle_a.get(), middle_b.get(), true);
  std::vector<std::byte> received(100);
  EXPECT_NE(said([&] { server->read(received); }), "");
}

TEST_F(Tls, ExportedKeysAgreeAndDependOnLabelAndSession) {
  Link l = link(alice_context_, bob_context_, bob_.fingerprint());
  Link other = link(alice_context_, bob_context_, bob_.fingerprint());
  ASSERT_TRUE(shake_hands(*l.client, *l.server).complete);
  ASSERT_TRUE(shake_hands(*other.client, *other.server).complete);
  const auto text = [](const Secret& key) {
    return std::string(reinterpret_cast<const char*>(key.bytes().data()), key.bytes().size());
  };
  const std::string seed = text(l.client->export_key("seed", 32));
  EXPECT_EQ(seed.size(), 32u);
  EXPECT_EQ(seed, text(l.server->export_key("seed", 32)));
  EXPECT_NE(seed, text(l.client->export_key("nonce", 32)));
  EXPECT_NE(seed, text(other.client->export_key("seed", 32)));
}

TEST_F(Tls, EndIsTold) {
  Link l = link(alice_context_, bob_context_, bob_.fingerprint());
  ASSERT_TRUE(shake_hands(*l.client, *l.server).complete);
  l.client->say_end();
  std::byte byte;
  EXPECT_EQ(l.server->read({&byte, 1}), Wire::kClosed);
}

}  // namespace
}  // namespace tacit::net
