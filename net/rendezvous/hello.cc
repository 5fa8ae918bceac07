#include "net/rendezvous/hello.h"

#include <algorithm>
#include <iterator>

#include "net/byte_fields.h"
#include "net/printable.h"

namespace tacit::net {

namespace {

constexpr std::string_view kMagic = "TCT\n";

constexpr std::int64_t kMaxHelloBytes = 1024 + kMaxHostBytes + Agreement::kMaxBytes + Agreement::kMaxPairs * 4;
constexpr std::int64_t kMaxWelcomeBytes = 64 + kMaxWorldSize * (kMaxHostBytes + 4);
constexpr std::int64_t kMaxFailureBytes = 5 + kMaxFailureText;

std::int64_t longest(MessageKind kind) {
  switch (kind) {
    case MessageKind::kHello:
      return kMaxHelloBytes;
    case MessageKind::kMissing:
      return 2 + 2 * kMaxWorldSize;
    case MessageKind::kWelcome:
      return kMaxWelcomeBytes;
    case MessageKind::kLink:
      return 2 + std::int64_t{sizeof(SessionId)};
    case MessageKind::kFailure:
      return kMaxFailureBytes;
    case MessageKind::kLinked:
    case MessageKind::kReady:
    case MessageKind::kGo:
      return 0;
  }
  return -1;  // no such kind
}

std::vector<std::byte> message(MessageKind kind, const std::vector<std::byte>& body) {
  ByteWriter out;
  out.raw(kMagic);
  out.number(kRendezvousVersion);
  out.number(static_cast<std::uint8_t>(kind));
  out.number(std::uint8_t{0});
  out.number(static_cast<std::uint32_t>(body.size()));
  out.raw(body);
  return out.take();
}

void write(ByteWriter& out, const Endpoint& endpoint) {
  out.text(endpoint.host);
  out.number(endpoint.port);
}

Endpoint read_endpoint(ByteReader& in, bool host_required) {
  Endpoint endpoint;
  endpoint.host = in.text(kMaxHostBytes);
  if (host_required || !endpoint.host.empty()) {
    in.require(parse_host(endpoint.host) == endpoint.host, "a host in it is neither a name nor an address");
  }
  endpoint.port = in.number<std::uint16_t>();
  in.require(endpoint.port != 0, "a port in it is 0");
  return endpoint;
}

void write(ByteWriter& out, const Agreement& agreement) {
  out.number(static_cast<std::uint16_t>(agreement.pairs().size()));
  for (const auto& [name, value] : agreement.pairs()) {
    out.text(name);
    out.text(value);
  }
}

Agreement read_agreement(ByteReader& in) {
  Agreement agreement;
  const auto pairs = in.number<std::uint16_t>();
  in.require(pairs <= Agreement::kMaxPairs, "it agrees on too much");
  std::string previous;
  for (int i = 0; i < pairs; ++i) {
    const std::string name = in.text(Agreement::kMaxNameBytes);
    const std::string value = in.text(Agreement::kMaxValueBytes);
    in.require(name > previous, "its agreement is out of order");  // therefore no name is empty or repeated
    in.require(agreement.bytes() + std::ssize(name) + std::ssize(value) <= Agreement::kMaxBytes,
               "its agreement is too long");
    agreement.set(name, value);
    previous = name;
  }
  return agreement;
}

SessionId read_session(ByteReader& in) {
  SessionId session{};
  const auto bytes = in.raw(session.size());
  std::copy(bytes.begin(), bytes.end(), session.begin());
  return session;
}

}  // namespace

std::vector<std::byte> encode(const Hello& hello) {
  ByteWriter out;
  out.number(static_cast<std::uint16_t>(hello.world.rank));
  out.number(static_cast<std::uint8_t>(hello.world.role()));
  out.number(static_cast<std::uint16_t>(hello.world.parties));
  out.number(static_cast<std::uint16_t>(hello.world.helpers));
  write(out, hello.listening);
  write(out, hello.agreement);
  return message(MessageKind::kHello, out.take());
}

Hello parse_hello(ConstBytes body) {
  ByteReader in(body, "a hello");
  Hello hello;
  hello.world.rank = in.number<std::uint16_t>();
  const auto role = in.number<std::uint8_t>();
  hello.world.parties = in.number<std::uint16_t>();
  hello.world.helpers = in.number<std::uint16_t>();
  in.require(hello.world.parties >= 1 && hello.world.size() <= kMaxWorldSize, "it tells of an impossible world");
  in.require(hello.world.rank < hello.world.size(), "its rank is not below its world size");
  in.require(role == static_cast<std::uint8_t>(hello.world.role()), "its role does not fit its rank");
  hello.listening = read_endpoint(in, false);
  hello.agreement = read_agreement(in);
  in.finish();
  return hello;
}

std::vector<std::byte> encode(const Missing& missing) {
  ByteWriter out;
  out.number(static_cast<std::uint16_t>(missing.ranks.size()));
  for (const int rank : missing.ranks) out.number(static_cast<std::uint16_t>(rank));
  return message(MessageKind::kMissing, out.take());
}

Missing parse_missing(ConstBytes body, int world_size) {
  ByteReader in(body, "a list of missing ranks");
  Missing missing;
  const int count = in.number<std::uint16_t>();
  in.require(count < world_size, "it names more ranks than there can be");
  for (int i = 0; i < count; ++i) {
    const int rank = in.number<std::uint16_t>();
    in.require(rank > (i == 0 ? 0 : missing.ranks.back()) && rank < world_size, "a rank in it is wrong");
    missing.ranks.push_back(rank);
  }
  in.finish();
  return missing;
}

std::vector<std::byte> encode(const Welcome& welcome) {
  ByteWriter out;
  out.raw(welcome.session);
  out.number(static_cast<std::uint16_t>(welcome.addresses.size()));
  for (const Endpoint& address : welcome.addresses) write(out, address);
  return message(MessageKind::kWelcome, out.take());
}

Welcome parse_welcome(ConstBytes body, int world_size) {
  ByteReader in(body, "a welcome");
  Welcome welcome;
  welcome.session = read_session(in);
  const int count = in.number<std::uint16_t>();
  in.require(count == world_size, "it does not have an address for every rank");
  for (int i = 0; i < count; ++i) welcome.addresses.push_back(read_endpoint(in, true));
  in.finish();
  return welcome;
}

std::vector<std::byte> encode(const LinkHello& link) {
  ByteWriter out;
  out.number(static_cast<std::uint16_t>(link.rank));
  out.raw(link.session);
  return message(MessageKind::kLink, out.take());
}

LinkHello parse_link_hello(ConstBytes body) {
  ByteReader in(body, "a link's hello");
  LinkHello link;
  link.rank = in.number<std::uint16_t>();
  link.session = read_session(in);
  in.finish();
  return link;
}

std::vector<std::byte> encode(const Failure& failure) {
  ByteWriter out;
  out.number(static_cast<std::uint8_t>(failure.exit));
  out.number(static_cast<std::uint32_t>(failure.culprit));
  out.raw(std::string_view(failure.text).substr(0, kMaxFailureText));
  return message(MessageKind::kFailure, out.take());
}

Failure parse_failure(ConstBytes body) {
  ByteReader in(body, "a failure");
  Failure failure;
  const auto exit = static_cast<Exit>(in.number<std::uint8_t>());
  in.require(exit == Exit::kConfig || exit == Exit::kNet || exit == Exit::kProtocol || exit == Exit::kBug,
             "its kind is unknown");
  failure.exit = exit;
  failure.culprit = static_cast<std::int32_t>(in.number<std::uint32_t>());
  in.require(failure.culprit >= -1 && failure.culprit < kMaxWorldSize, "it blames a rank that cannot be");
  failure.text = printable(in.rest(), kMaxFailureText);
  return failure;
}

std::vector<std::byte> encode(MessageKind kind) {
  TACIT_CHECK(longest(kind) == 0);
  return message(kind, {});
}

MessageHeader parse_message_header(ConstBytes bytes) {
  ByteReader in(bytes, "a message");
  const auto magic = in.raw(kMagic.size());
  in.require(std::equal(magic.begin(), magic.end(), std::as_bytes(std::span(kMagic)).begin()),
             "it is not of a Tacit rendezvous");
  MessageHeader header;
  header.version = in.number<std::uint16_t>();
  header.kind = static_cast<MessageKind>(in.number<std::uint8_t>());
  in.require(in.number<std::uint8_t>() == 0, "a reserved byte is not zero");
  header.length = in.number<std::uint32_t>();
  in.finish();
  if (header.version == kRendezvousVersion || header.kind == MessageKind::kFailure) {
    in.require(longest(header.kind) >= 0, "its kind is unknown");
    in.require(header.length <= longest(header.kind), "it is too long");
    in.require(longest(header.kind) > 0 || header.length == 0, "it has a body");
  }
  return header;
}

}  // namespace tacit::net
