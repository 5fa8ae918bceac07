// compare_transcripts — do all parties have seen the same? A tag of the transcript to each, straight, before anything
// is revealed or kept.
//
// Every party hashes all that it saw opened (the sums, as they were opened), what was decided, and each word that went
// between it and another party into a sum that one of the two makes for others, under keys that these two alone share
// (Transcript). Where two tags differ, a word of an opening was not the same at both: its memory or link is damaged, or
// a party sent different words to different parties.
//
// A word that is damaged on its way into such a sum makes the sum wrong at all parties alike, and the tags of its two
// ends alone differ. So that every party knows, each tells all others its share of a zero, besides: shares come from
// streams whose names hold the tag of the pair (Party::refresh), and add up to zero where the tags of all pairs agree.
//
// A reveal compares in its own round: the tags travel beside the shares. And it does not wait for the answer: its
// shares of zero come from such streams, too. Where the transcripts of any pair differ what is opened is uniform and
// tells nothing of the value.
//
// Reveals     nothing: a tag is a function of what both ends know, and shares of zero are uniform but for their sum
// Rounds      0 beside a reveal, else 1
// Sends       16 bytes to each peer, and 16 more where there are more than two parties; never through another party
// Consumes    nothing: the keys are drawn once, when the session begins
// Detects     a word of any opening that arrived otherwise than it left, at whichever rank and by whichever algorithm,
//             but for a probability of 2^-62; parties that decided differently. What the opening of a reveal itself
//             brings is compared by the next one, or at the end of the run. Not a word that was wrong before it left:
//             a party that shares a wrong word with all alike; nor a word that the dealer dealt. Against those there
//             are TLS on every link, and the ranges (RangeAudit)
// Secure      against n-1 passive parties: what is hashed is what travels anyway, under keys of its two ends, and no
//             tag reaches another. A party that equivocates is found by two honest ones, whose common keys it does not
//             know. The dealer has no part, and knows no key
#pragma once

#include <array>
#include <vector>

#include "mpc/session/party.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// Throws ProtocolError where two parties have seen different openings or decisions, or a word that one sent the other
// came as another. Call it before anything is kept, and at the end of a run. A reveal compares by itself.
void compare_transcripts(Session& session);

// The same beside a round of something else: the tags of the transcript as it is are on their way once this is made.
class TagExchange {
 public:
  explicit TagExchange(Party& party);

  // Waits for the others' tags. Throws ProtocolError where the tags of any pair differ.
  void expect_equal();

  static Cost cost(const CostSetting& setting);  // without the round
  static std::int64_t message_bytes(int parties);

 private:
  struct Message {
    HashTag tag;                                // of the pair
    std::array<std::uint64_t, 2> zero_share{};  // among more than two parties
  };
  net::Bytes bytes_of(Message& message) const;
  [[noreturn]] void fail(const std::vector<int>& others) const;

  Party& party_;
  std::vector<Message> own_, theirs_;  // by party; own_ at this rank has its share of zero alone
  std::vector<net::Transfer> receives_;
};

}  // namespace tacit::mpc
