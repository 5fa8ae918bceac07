#include "tests/net/namespaces.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/net/process.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;

class HostsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Hosts::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

// bash can open TCP connections. No process listens at the other host, so a refusal shows that the
// host was reached.
bool reaches(const Hosts& hosts, int from, const std::string& address, std::chrono::milliseconds within = 20s) {
  const Ended ended =
      Process({{"bash", "-c", fmt::format("echo > /dev/tcp/{}/9", address)}, {}, hosts.network(from)}).wait(within);
  return ended.err.find("Connection refused") != std::string::npos;
}

TEST_F(HostsTest, ReachEachOtherOverBothFamiliesAndNothingElse) {
  const Hosts hosts(3);
  EXPECT_TRUE(reaches(hosts, 0, hosts.address(1)));
  EXPECT_TRUE(reaches(hosts, 1, hosts.address(2)));
  EXPECT_TRUE(reaches(hosts, 2, hosts.address6(0)));
  const std::string routes = run_to_success({{"ip", "route"}, {}, hosts.network(0)});
  EXPECT_EQ(routes.find("default"), std::string::npos) << routes;
}

TEST_F(HostsTest, AHostWhoseCableIsCutHearsNothingUntilItIsMended) {
  Hosts hosts(2);
  ASSERT_TRUE(reaches(hosts, 0, hosts.address(1)));
  hosts.cut(1);
  EXPECT_FALSE(reaches(hosts, 0, hosts.address(1), 300ms));
  hosts.mend(1);
  EXPECT_TRUE(reaches(hosts, 0, hosts.address(1)));
}

TEST_F(HostsTest, TwoSetsOfHostsDoNotSeeEachOther) {
  const Hosts one(1);
  const Hosts other(2);
  EXPECT_FALSE(reaches(one, 0, other.address(1), 300ms));
}

TEST_F(HostsTest, LeaveNoNamespaceBehindUnderAName) {
  const std::string before = run_to_success({{"ip", "netns", "list"}, {}, -1});
  const Hosts hosts(2);
  EXPECT_EQ(run_to_success({{"ip", "netns", "list"}, {}, -1}), before);
}

}  // namespace
}  // namespace tacit::net
