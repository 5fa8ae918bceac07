#include "tests/net/loopback_formation.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "net/error.h"
#include "net/tcp/tls.h"

namespace tacit::net {

namespace {

using Pair = std::pair<std::unique_ptr<Wire>, std::unique_ptr<Wire>>;

Pair plain_pair(PlaintextKeys keys) {
  auto [a, b] = tcp_pair();
  return {std::make_unique<PlainWire>(std::move(a), keys), std::make_unique<PlainWire>(std::move(b), keys)};
}

Pair tls_pair(const TlsContext& client_context, const TlsContext& server_context, const Fingerprint& server_key) {
  auto [a, b] = tcp_pair();
  auto client = TlsWire::client(client_context, std::move(a), server_key);
  auto server = TlsWire::server(server_context, std::move(b));
  bool client_done = false, server_done = false;
  while (!client_done || !server_done) {
    if (!client_done) client_done = client->handshake();
    if (!server_done) server_done = server->handshake();
  }
  return {std::move(client), std::move(server)};
}

}  // namespace

std::pair<Descriptor, Descriptor> tcp_pair() {
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  Descriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::bind(listener.get(), generic, size) != 0 || ::listen(listener.get(), 1) != 0 ||
      ::getsockname(listener.get(), generic, &size) != 0 || ::connect(client.get(), generic, size) != 0) {
    throw NetError("no loopback connection");
  }
  Descriptor server(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!server) throw NetError("no loopback connection");
  return {std::move(client), std::move(server)};
}

std::vector<Formation> loopback_formations(const LoopbackShape& shape) {
  const int n = shape.parties + shape.helpers;
  std::vector<Identity> identities;
  std::vector<Fingerprint> trusted;
  for (int i = 0; i < n; ++i) {
    identities.push_back(Identity::generate());
    trusted.push_back(identities.back().fingerprint());
  }
  std::vector<std::unique_ptr<TlsContext>> contexts;
  for (const Identity& identity : identities) contexts.push_back(std::make_unique<TlsContext>(identity, trusted));

  std::vector<Formation> formations(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    Formation& f = formations[static_cast<std::size_t>(i)];
    f.world = {.rank = i, .parties = shape.parties, .helpers = shape.helpers};
    f.links.resize(static_cast<std::size_t>(n));
    f.addresses.assign(static_cast<std::size_t>(n), "loopback");
  }
  for (std::size_t i = 0; i < formations.size(); ++i) {
    for (std::size_t j = i + 1; j < formations.size(); ++j) {
      const auto keys =
          shape.encryption == Encryption::kPlain ? PlaintextKeys::kRefused : PlaintextKeys::kPublicForTests;
      auto [a, b] =
          shape.encryption == Encryption::kTls ? tls_pair(*contexts[i], *contexts[j], trusted[j]) : plain_pair(keys);
      formations[i].links[j] = std::move(a);
      formations[j].links[i] = std::move(b);
    }
  }
  return formations;
}

}  // namespace tacit::net
