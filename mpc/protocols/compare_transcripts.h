// compare_transcripts — checks that all parties have seen the same openings (consistency check, equivocation).
// Each party sends a tag of its transcript directly to every other party, before anything is revealed or kept.
//
// For every pair, the two parties hash the opened sums, the decisions, and the words that one sent the other for a
// sum that the receiver computes for all parties. The keys belong to the pair (Transcript). If the two tags differ,
// the two parties saw different words: a memory or a link is damaged, or a party sent different words to different
// parties.
//
// A word that is damaged on its way into such a sum makes the sum wrong at all parties alike. Then only the tags of
// the word's sender and receiver differ. To inform the other parties, each party also sends everybody its share of a
// zero. The shares come from streams that are named by the tags of pairs (Party::refresh), and add up to zero if
// the tags of all pairs agree.
//
// A reveal compares in its own round: the tags travel beside the shares. The reveal need not wait for the result,
// because its shares of zero come from such streams, too. If the transcripts of any pair differ, the opened value is
// uniform and contains nothing about x.
//
// Reveals     nothing: both ends of a pair know the hashed words, and shares of zero are uniform except for their sum
// Rounds      0 beside a reveal, else 1
// Sends       16 bytes to each peer, and 16 more with more than two parties; never through another party
// Consumes    nothing: the keys are drawn once, when the session begins
// Detects     a word of any opening that changed on its way, at any rank and with any algorithm, except with
//             probability 2^-62; parties with different decisions. The words that a reveal itself opens are compared
//             by the next reveal, or at the end of the run. Not detected: a word that was wrong before it was sent, such
//             as a wrong word that a party sends to all alike, or a wrong word from the dealer. RangeAudit finds such a
//             word if a value leaves its range; TLS protects the words of the dealer on their way
// Secure      against n-1 passive parties: the hashed words travel anyway, the keys belong to the pair, and no tag
//             reaches a third party. If a party equivocates, two honest parties find out, since it does not know
//             their common keys. The dealer has no part, and knows no key
#pragma once

#include <array>
#include <vector>

#include "mpc/session/party.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// Throws ProtocolError if two parties have seen different openings or decisions, or if a word changed between them.
// Call this before anything is kept, and at the end of a run. A reveal compares by itself.
void compare_transcripts(Session& session);

// The same beside a round of another protocol. The constructor sends the tags of the transcript so far.
class TagExchange {
 public:
  explicit TagExchange(Party& party);

  // Waits for the others' tags. Throws ProtocolError where the tags of any pair differ.
  void expect_equal();

  static Cost cost(const CostSetting& setting);  // without the round
  static std::int64_t message_bytes(int parties);

 private:
  struct Message {
    HashTag tag;                                // the pair's tag
    std::array<std::uint64_t, 2> zero_share{};  // with more than two parties
  };
  net::Bytes bytes_of(Message& message) const;
  [[noreturn]] void fail(const std::vector<int>& others) const;

  Party& party_;
  std::vector<Message> own_, theirs_;  // by party; own_ at this rank has only its share of zero
  std::vector<net::Transfer> receives_;
};

}  // namespace tacit::mpc
