#include "tests/net/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <ostream>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace tacit::net {

namespace {

// Bound without SO_REUSEADDR, so that it fails wherever somebody else is; with it from then on, so that a listener
// under test may join. Empty if the port is taken.
Descriptor reserve(int family, const sockaddr* address, socklen_t size) {
  Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) throw std::system_error(errno, std::system_category(), "socket");
  const int on = 1;
  if (family == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (::bind(socket.get(), address, size) != 0) return {};
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) {
    throw std::system_error(errno, std::system_category(), "SO_REUSEADDR");
  }
  return socket;
}

Descriptor reserve_ipv4(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return reserve(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

Descriptor reserve_ipv6(std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(port);
  return reserve(AF_INET6, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace

bool has_ipv6() {
  static const bool has = [] {
    try {
      return static_cast<bool>(reserve_ipv6(0));
    } catch (const std::system_error&) {
      return false;
    }
  }();
  return has;
}

// Below the range from which the kernel takes ports for outgoing connections: none of those can get in the way.
ReservedPort::ReservedPort() {
  std::random_device random;
  std::uniform_int_distribution<int> ports(12000, 32000);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    number_ = static_cast<std::uint16_t>(ports(random));
    ipv4_ = reserve_ipv4(number_);
    if (!ipv4_) continue;
    if (!has_ipv6()) return;
    ipv6_ = reserve_ipv6(number_);
    if (ipv6_) return;
  }
  throw std::runtime_error("no free port found for a test");
}

std::vector<RosterEntry> entries_for(const std::vector<Identity>& identities, int parties) {
  std::vector<RosterEntry> entries;
  for (const Identity& identity : identities) {
    const Role role = static_cast<int>(entries.size()) < parties ? Role::kParty : Role::kDealer;
    entries.push_back({role, identity.fingerprint(), std::nullopt});
  }
  return entries;
}

namespace {

std::vector<Identity> generate(int number) {
  std::vector<Identity> identities;
  for (int i = 0; i < number; ++i) identities.push_back(Identity::generate());
  return identities;
}

}  // namespace

Ensemble::Ensemble(int parties, int helpers)
    : identities(generate(parties + helpers)), roster(entries_for(identities, parties)) {}

std::ostream& operator<<(std::ostream& text, const Outcome& outcome) {
  return text << "exit " << static_cast<int>(outcome.exit) << ", culprit " << outcome.culprit << ": " << outcome.what;
}

Outcome outcome_of(const std::function<void()>& step) {
  try {
    step();
    return {};
  } catch (const NetError& error) {
    return {error.exit(), error.culprit(), error.what()};
  } catch (const ProtocolError& error) {
    return {error.exit(), error.culprit(), error.what()};
  } catch (const Error& error) {
    return {error.exit(), -1, error.what()};
  } catch (const std::exception& error) {
    return {Exit::kBug, -1, error.what()};
  }
}

std::vector<Outcome> run_ranks(int ranks, const std::function<void(int rank)>& step) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] { outcomes[static_cast<std::size_t>(rank)] = outcome_of([&] { step(rank); }); });
    }
  }
  return outcomes;
}

}  // namespace tacit::net
