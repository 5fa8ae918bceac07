// The messages of the rendezvous, in the order in which they travel (net/README.md tells the story):
//
//   hello      a rank to rank 0: who I am, where I listen, what I run
//   missing    rank 0 to each rank that is there: who is not there yet; again when that changes
//   welcome    rank 0 to all, once everybody is there: the session and all addresses
//   link       a rank to a lower one but rank 0: who I am
//   linked     its answer
//   ready      a rank to rank 0: all my links stand
//   go         rank 0 to all: so do everybody's; what follows on the connection belongs to the mesh
//   failure    either way, at any time: why this ends
//
// A message is a header of 12 bytes (magic, version, kind, a zero byte, length of the body) and its body. The header
// and the body of a failure are the same in every version, so that different versions can tell each other so.
// Nothing is believed: every parser throws ProtocolError unless the bytes are what encode() could have made.
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
  std::int64_t length = 0;  // of the body
};

using SessionId = std::array<std::byte, 16>;

struct Hello {
  World world;         // as its sender sees it
  Endpoint listening;  // host: what it announces, empty if nothing; port: where it listens
  Agreement agreement;
};

struct Missing {
  std::vector<int> ranks;  // ranks, ascending
};

struct Welcome {
  SessionId session{};
  std::vector<Endpoint> addresses;  // by rank
};

struct LinkHello {
  int rank = 0;
  SessionId session{};
};

// Whole messages, header included.
std::vector<std::byte> encode(const Hello& hello);
std::vector<std::byte> encode(const Missing& missing);
std::vector<std::byte> encode(const Welcome& welcome);
std::vector<std::byte> encode(const LinkHello& link);
std::vector<std::byte> encode(const Failure& failure);  // its text is cut to fit
std::vector<std::byte> encode(MessageKind kind);        // linked, ready, go: no body

// Of another version only the header, and failures, can be read.
MessageHeader parse_message_header(ConstBytes bytes);

// Bodies.
Hello parse_hello(ConstBytes body);
Missing parse_missing(ConstBytes body, int world_size);
Welcome parse_welcome(ConstBytes body, int world_size);
LinkHello parse_link_hello(ConstBytes body);
Failure parse_failure(ConstBytes body);  // its text comes out printable

}  // namespace tacit::net
