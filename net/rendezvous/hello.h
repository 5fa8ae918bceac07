// The messages of the rendezvous, in the order in which they travel (see net/README.md):
//
//   hello      a rank to rank 0: my identity, my listening address, my configuration
//   missing    rank 0 to each rank that is there: the ranks that are not there yet; again after each change
//   welcome    rank 0 to all, once everybody is there: the session and all addresses
//   link       a rank to a lower one except rank 0: my identity
//   linked     the answer to link
//   ready      a rank to rank 0: all my links stand
//   go         rank 0 to all: all links of all ranks stand; later bytes on the connection belong to the mesh
//   failure    either way, at any time: the reason for the end
//
// A message is a header of 12 bytes (magic, version, kind, a zero byte, length of the body) and a
// body. The header and the body of a failure have the same format in every version. Two versions can
// therefore report their mismatch. All input is untrusted: every parser throws ProtocolError unless
// encode() could have produced the bytes.
#pragma once

#include <array>
#include <vector>

#include "net/channel.h"
#include "net/rendezvous/agreement.h"
#include "net/rendezvous/endpoint.h"
#include "net/rendezvous/failure.h"
#include "net/world.h"

namespace tacit::net {

inline constexpr std::uint16_t kRendezvousVersion = 2;
inline constexpr std::int64_t kMessageHeaderBytes = 12;

enum class MessageKind : std::uint8_t { kHello = 1, kMissing, kWelcome, kLink, kLinked, kReady, kGo, kFailure };

struct MessageHeader {
  std::uint16_t version = kRendezvousVersion;
  MessageKind kind = MessageKind::kHello;
  std::int64_t length = 0;  // bytes of the body
};

using SessionId = std::array<std::byte, 16>;

struct Hello {
  World world;         // the sender's view
  Endpoint listening;  // host: the announced host, empty if none; port: the listening port
  Agreement agreement;
};

struct Missing {
  std::vector<int> ranks;  // ascending
};

struct Welcome {
  SessionId session{};
  std::vector<Endpoint> addresses;  // indexed by rank
};

struct LinkHello {
  int rank = 0;
  SessionId session{};
};

// Each function returns a whole message, header included.
std::vector<std::byte> encode(const Hello& hello);
std::vector<std::byte> encode(const Missing& missing);
std::vector<std::byte> encode(const Welcome& welcome);
std::vector<std::byte> encode(const LinkHello& link);
std::vector<std::byte> encode(const Failure& failure);  // truncates the text to the limit
std::vector<std::byte> encode(MessageKind kind);        // linked, ready, go: without a body

// A message of another version is limited to its header, unless it is a failure.
MessageHeader parse_message_header(ConstBytes bytes);

// Parsers of message bodies.
Hello parse_hello(ConstBytes body);
Missing parse_missing(ConstBytes body, int world_size);
Welcome parse_welcome(ConstBytes body, int world_size);
LinkHello parse_link_hello(ConstBytes body);
Failure parse_failure(ConstBytes body);  // replaces unprintable characters in the text

}  // namespace tacit::net
