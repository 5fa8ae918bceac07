// compare_transcripts — do all parties have seen the same? A tag of the transcript to each, straight, before anything
// is revealed or kept.
//
// Every party hashes all that it saw opened (the sums, as they were opened) and what was decided, for each other party
// under a key that these two alone share (Transcript). Where two tags differ, a word of an opening was not the same at
// both: its memory or link is damaged, or a party sent different words to different parties.
//
// A reveal compares in its own round: the tags travel beside the shares. And it does not wait for the answer: its
// shares of zero come from streams whose names hold the tag of the pair (Party::refresh). Where two transcripts differ
// the two streams do, too: they do not cancel, and what is opened is uniform and tells nothing of the value.
//
// Reveals     nothing: a tag is a function of what both ends know
// Rounds      0 beside a reveal, else 1
// Sends       16 bytes to each peer, never through another party
// Consumes    nothing: the keys are drawn once, when the session begins
// Detects     an opened word that is not the same at all parties, whatever the algorithm of the opening, but for a
//             probability of 2^-63. Not a sum that is wrong at all parties alike: a party that shares or sends a wrong
//             word, and a word that is damaged on its way into a sum which one party makes for all (star, two-phase,
//             ring); against those there are TLS on every link, and the ranges (RangeAudit)
// Secure      against n-1 passive parties. A party that equivocates is found by two honest ones, whose common key it
//             does not know. The dealer has no part, and knows no key
#pragma once

#include <vector>

#include "mpc/session/party.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

// Throws ProtocolError where two parties have seen different openings or decisions. Call it before anything is kept, and
// at the end of a run. A reveal compares by itself.
void compare_transcripts(Session& session);

// The same beside a round of something else: the tags of the transcript as it is are on their way once this is made.
class TagExchange {
 public:
  explicit TagExchange(Party& party);

  // Waits for the others' tags. Throws ProtocolError where one differs.
  void expect_equal();

  static Cost cost(const CostSetting& setting);  // without the round

 private:
  Party& party_;
  std::vector<HashTag> own_, theirs_;  // by party
  std::vector<net::Transfer> receives_;
};

}  // namespace tacit::mpc
