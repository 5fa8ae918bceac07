#include "net/rendezvous/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/net/loopback.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;

std::string refusal_of_endpoint(const std::string& text) {
  const Outcome outcome = outcome_of([&] { Endpoint::parse(text); });
  EXPECT_EQ(outcome.exit, Exit::kConfig) << text;
  return outcome.what;
}

TEST(Endpoint, ReadsWhatItPrints) {
  for (const char* text : {"node1:4711", "10.0.0.3:1", "[::1]:65535", "[fe80::1%eth0]:80", "a_b.c-d.example:9"}) {
    EXPECT_EQ(Endpoint::parse(text).text(), text);
  }
}

TEST(Endpoint, KeepsIpv6WithoutBrackets) { EXPECT_EQ(Endpoint::parse("[::1]:4711"), (Endpoint{"::1", 4711})); }

TEST(Endpoint, RefusesWithTheReason) {
  EXPECT_THAT(refusal_of_endpoint("node1"), HasSubstr("names no port"));
  EXPECT_THAT(refusal_of_endpoint("::1:4711"), HasSubstr("brackets"));
  for (const char* text : {":4711", "no de:1", "[node]:1", "[::1:1", "[::g]:1", "node/1:2", "n\x01:3", "[]:1"}) {
    EXPECT_THAT(refusal_of_endpoint(text), HasSubstr("neither a name nor an address")) << text;
  }
  for (const char* text : {"a:", "a:0", "a:65536", "a:-1", "a:+1", "a: 1", "a:1x", "a:99999999999999999999"}) {
    EXPECT_THAT(refusal_of_endpoint(text), HasSubstr("port")) << text;
  }
}

TEST(Endpoint, ShowsUntrustedTextSafely) { EXPECT_THAT(refusal_of_endpoint("a\x1b[2J:1"), HasSubstr("a\\x1b[2J:1")); }

TEST(Endpoint, HostsHaveALimitedLength) {
  EXPECT_TRUE(parse_host(std::string(255, 'a')).has_value());
  EXPECT_FALSE(parse_host(std::string(256, 'a')).has_value());
  EXPECT_FALSE(parse_host("").has_value());
  EXPECT_EQ(parse_host("[::1]"), "::1");
  EXPECT_EQ(parse_host("::1"), "::1");
}

}  // namespace
}  // namespace tacit::net
