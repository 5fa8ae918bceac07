#include "net/rendezvous/hello.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/net/loopback.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;

std::vector<std::byte> body_of(const std::vector<std::byte>& message) {
  return {message.begin() + kMessageHeaderBytes, message.end()};
}

MessageHeader header_of(const std::vector<std::byte>& message) {
  return parse_message_header(ConstBytes(message).first(static_cast<std::size_t>(kMessageHeaderBytes)));
}

Hello some_hello() {
  Hello hello;
  hello.world = {2, 2, 1};
  hello.listening = {"node2", 4711};
  hello.agreement.set("job", "abc");
  hello.agreement.set("ring", std::string("6\0004", 3));
  return hello;
}

// A parser must refuse every message that was cut or has an extra byte.
template <typename Parse>
void expect_exact_length(std::vector<std::byte> body, Parse parse) {
  EXPECT_EQ(outcome_of([&] { parse(ConstBytes(body)); }).exit, Exit::kOk);
  for (std::size_t size = 0; size < body.size(); ++size) {
    EXPECT_EQ(outcome_of([&] { parse(ConstBytes(body).first(size)); }).exit, Exit::kProtocol) << size;
  }
  body.push_back({});
  EXPECT_EQ(outcome_of([&] { parse(ConstBytes(body)); }).exit, Exit::kProtocol);
}

TEST(Hello, ComesOutAsItWentIn) {
  const Hello sent = some_hello();
  const auto message = encode(sent);
  EXPECT_EQ(header_of(message).kind, MessageKind::kHello);
  EXPECT_EQ(header_of(message).length, std::ssize(message) - kMessageHeaderBytes);
  const Hello hello = parse_hello(body_of(message));
  EXPECT_EQ(hello.world.rank, 2);
  EXPECT_EQ(hello.world.parties, 2);
  EXPECT_EQ(hello.world.helpers, 1);
  EXPECT_EQ(hello.listening, sent.listening);
  EXPECT_EQ(hello.agreement, sent.agreement);
}

TEST(Hello, LargestAgreementFits) {
  Hello hello = some_hello();
  for (int i = 0; i < 15; ++i) hello.agreement.set("large" + std::to_string(i), std::string(4096, 'v'));
  for (int i = 0; std::ssize(hello.agreement.pairs()) < Agreement::kMaxPairs; ++i) {
    hello.agreement.set("n" + std::to_string(i), "");
  }
  const auto message = encode(hello);
  EXPECT_EQ(header_of(message).kind, MessageKind::kHello);
  EXPECT_EQ(parse_hello(body_of(message)).agreement, hello.agreement);
}

TEST(Hello, EveryBodyHasExactlyItsLength) {
  expect_exact_length(body_of(encode(some_hello())), parse_hello);
  expect_exact_length(body_of(encode(Missing{{1, 2}})), [](ConstBytes b) { return parse_missing(b, 3); });
  expect_exact_length(body_of(encode(Welcome{{}, {{"node0", 1}, {"::1", 2}}})),
                      [](ConstBytes b) { return parse_welcome(b, 2); });
  expect_exact_length(body_of(encode(LinkHello{1, {}})), parse_link_hello);
}

TEST(Hello, ImpossibleWorldsAreRefused) {
  const auto refusal = [](const std::function<void(Hello&)>& change) {
    Hello hello = some_hello();
    change(hello);
    return outcome_of([&] { parse_hello(body_of(encode(hello))); });
  };
  EXPECT_THAT(refusal([](Hello& h) { h.world.parties = 0; }).what, HasSubstr("impossible world"));
  EXPECT_THAT(refusal([](Hello& h) { h.world.parties = 60000; }).what, HasSubstr("impossible world"));
  EXPECT_THAT(refusal([](Hello& h) { h.world.rank = 3; }).what, HasSubstr("rank is not below"));
  EXPECT_THAT(refusal([](Hello& h) { h.listening.port = 0; }).what, HasSubstr("port"));
  EXPECT_THAT(refusal([](Hello& h) { h.listening.host = "no de"; }).what, HasSubstr("host"));
  auto other_role = body_of(encode(some_hello()));
  other_role[2] = std::byte{0};
  EXPECT_THAT(outcome_of([&] { parse_hello(other_role); }).what, HasSubstr("role does not fit"));
}

TEST(Hello, NamesOfAnAgreementComeInOrderAndOnce) {
  Hello hello = some_hello();
  hello.agreement = {};
  hello.agreement.set("a", "1");
  hello.agreement.set("b", "2");
  auto body = body_of(encode(hello));
  body[body.size() - 4] = std::byte{'a'};  // the name "b"
  EXPECT_THAT(outcome_of([&] { parse_hello(body); }).what, HasSubstr("out of order"));
}

TEST(Missing, NamesRanksThatExist) {
  const auto parse = [](const Missing& missing) {
    return outcome_of([&] { parse_missing(body_of(encode(missing)), 3); }).exit;
  };
  EXPECT_EQ(parse({{1, 2}}), Exit::kOk);
  EXPECT_EQ(parse({{}}), Exit::kOk);
  EXPECT_EQ(parse({{0}}), Exit::kProtocol);
  EXPECT_EQ(parse({{2, 1}}), Exit::kProtocol);
  EXPECT_EQ(parse({{1, 1}}), Exit::kProtocol);
  EXPECT_EQ(parse({{3}}), Exit::kProtocol);
}

TEST(Welcome, HasAnAddressForEveryRank) {
  Welcome welcome;
  welcome.session[15] = std::byte{7};
  welcome.addresses = {{"node0", 1}, {"10.0.0.2", 2}, {"::1", 65535}};
  const auto body = body_of(encode(welcome));
  EXPECT_EQ(parse_welcome(body, 3).addresses, welcome.addresses);
  EXPECT_EQ(parse_welcome(body, 3).session, welcome.session);
  EXPECT_EQ(outcome_of([&] { parse_welcome(body, 2); }).exit, Exit::kProtocol);
  welcome.addresses[1].host = "";
  EXPECT_EQ(outcome_of([&] { parse_welcome(body_of(encode(welcome)), 3); }).exit, Exit::kProtocol);
}

TEST(FailureMessage, ComesOutPrintableAndWithinItsLimit) {
  const Failure sent{Exit::kConfig, 2, "rank 2\x1b[2J" + std::string(5000, 'x')};
  const auto message = encode(sent);
  EXPECT_LE(header_of(message).length, kMaxFailureText + 5);
  const Failure failure = parse_failure(body_of(message));
  EXPECT_EQ(failure.exit, Exit::kConfig);
  EXPECT_EQ(failure.culprit, 2);
  EXPECT_THAT(failure.text, HasSubstr("rank 2\\x1b[2Jxxx"));
  EXPECT_LE(std::ssize(failure.text), kMaxFailureText);
}

TEST(FailureMessage, EndsAnotherRankWithTheSameCodeAndCulprit) {
  const auto again = [](const std::function<void()>& step) {
    return outcome_of([&] {
      try {
        step();
      } catch (...) {
        raise(parse_failure(body_of(encode(failure_of(std::current_exception(), 5)))));
      }
    });
  };
  EXPECT_EQ(again([] { throw ConfigError("job"); }).exit, Exit::kConfig);
  EXPECT_EQ(again([] { throw NetError("gone", 3); }).culprit, 3);
  EXPECT_EQ(again([] { throw ProtocolError("odd", 4); }).exit, Exit::kProtocol);
  const Outcome bug = again([] { throw BrokenInvariant("x > 0"); });
  EXPECT_EQ(bug.exit, Exit::kNet);
  EXPECT_EQ(bug.culprit, 5);
  EXPECT_THAT(bug.what, HasSubstr("rank 5 failed: x > 0"));
}

TEST(MessageHeader, RefusesOtherMagicKindsAndLengths) {
  const auto refusal = [](std::size_t at, int value) {
    auto message = encode(LinkHello{});
    message[at] = static_cast<std::byte>(value);
    return outcome_of([&] { header_of(message); }).what;
  };
  EXPECT_THAT(refusal(0, 'G'), HasSubstr("not of a Tacit rendezvous"));
  EXPECT_THAT(refusal(6, 0), HasSubstr("kind is unknown"));
  EXPECT_THAT(refusal(6, 9), HasSubstr("kind is unknown"));
  EXPECT_THAT(refusal(7, 1), HasSubstr("reserved"));
  EXPECT_THAT(refusal(10, 1), HasSubstr("too long"));
  EXPECT_THAT(refusal(6, static_cast<int>(MessageKind::kGo)), HasSubstr("too long"));
}

TEST(MessageHeader, OfAnotherVersionIsReadSoThatItCanBeNamed) {
  auto message = encode(LinkHello{});
  message[4] = std::byte{9};
  message[6] = std::byte{200};
  EXPECT_EQ(header_of(message).version, 9);
}

}  // namespace
}  // namespace tacit::net
