// Listening addresses, and how the other ranks find them.
#include "net/rendezvous/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include "net/rendezvous/lookup.h"
#include "tests/net/loopback.h"
#include "tests/net/puppet.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::vector<SocketAddress> addresses_of(const Endpoint& endpoint) {
  Loop loop;
  std::vector<SocketAddress> found;
  loop.run([](Loop& l, Endpoint e, std::vector<SocketAddress>& f) -> Task {
    f = co_await look_up(l, e, Clock::now() + 10s);
  }(loop, endpoint, found));
  return found;
}

TEST(Lookup, FindsAddressesOfAddressesAndNames) {
  EXPECT_EQ(addresses_of({"127.0.0.1", 4711}).front().text(), "127.0.0.1:4711");
  EXPECT_EQ(addresses_of({"::1", 4711}).front().text(), "[::1]:4711");
  for (const SocketAddress& address : addresses_of({"localhost", 4711})) {
    EXPECT_TRUE(address.is_loopback()) << address.text();
    EXPECT_EQ(address.endpoint().port, 4711);
  }
}

TEST(Lookup, NamesTheHostThatItDoesNotFind) {
  EXPECT_THAT(outcome_of([] {
                addresses_of({"no-such-host.invalid", 1});
              }).what,
              HasSubstr("\"no-such-host.invalid\""));
}

TEST(SocketAddress, Ipv4ThatCameThroughAnIpv6SocketIsShownAsIpv4) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 on its loopback interface";
  const SocketAddress mapped = addresses_of({"::ffff:127.0.0.1", 4711}).front();
  EXPECT_EQ(mapped.family(), AF_INET6);
  EXPECT_EQ(mapped.text(), "127.0.0.1:4711");
  EXPECT_TRUE(mapped.is_loopback());
  EXPECT_FALSE(addresses_of({"::ffff:10.0.0.1", 4711}).front().is_loopback());
}

TEST(Listener, EverywhereMeansBothFamilies) {
  const Listeners listeners = listen_everywhere(0, "test");
  ASSERT_GT(listeners.port, 0);
  EXPECT_TRUE(connect_to(listeners.port));  // over IPv4
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6 on its loopback interface";
  const SocketAddress ipv6 = addresses_of({"::1", listeners.port}).front();
  const Descriptor socket(::socket(AF_INET6, SOCK_STREAM, 0));
  EXPECT_EQ(::connect(socket.get(), ipv6.get(), ipv6.size()), 0);
}

TEST(Listener, OfAnAddressListensThereAlone) {
  const Listeners listeners = listen_for_all({"127.0.0.1", 0}, addresses_of({"127.0.0.1", 0}), "test");
  EXPECT_EQ(listeners.text, "127.0.0.1:" + std::to_string(listeners.port));
  EXPECT_EQ(SocketAddress::of_this_end(listeners.sockets.at(0).get()).text(), listeners.text);
}

// Debian puts "127.0.1.1 name-of-the-machine" into /etc/hosts.
TEST(Listener, NameThatOnlyThisMachineTakesForLoopbackIsListenedForEverywhere) {
  const auto loopback = addresses_of({"127.0.1.1", 0});
  EXPECT_THAT(listen_for_all({"node0", 0}, loopback, "test").text, HasSubstr("every interface"));
  EXPECT_THAT(listen_for_all({"localhost", 0}, loopback, "test").text, HasSubstr("127.0.1.1"));
  EXPECT_THAT(listen_for_all({"127.0.1.1", 0}, loopback, "test").text, HasSubstr("127.0.1.1"));
}

TEST(Listener, AddressOfAnotherMachineIsListenedForEverywhere) {
  const Endpoint router{"203.0.113.1", 0};
  EXPECT_THAT(listen_for_all(router, addresses_of(router), "test").text, HasSubstr("every interface"));
  EXPECT_TRUE(listen_at(addresses_of(router), "test").sockets.empty());
}

TEST(Listener, PortOfAnotherProcessIsNamedWithTheRemedy) {
  const Listeners first = listen_everywhere(0, "test");
  const Outcome outcome = outcome_of([&] { listen_everywhere(first.port, "MASTER_PORT"); });
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, HasSubstr("in use by another process"));
  EXPECT_THAT(outcome.what, HasSubstr("set MASTER_PORT"));
}

}  // namespace
}  // namespace tacit::net
