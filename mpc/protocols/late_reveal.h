// late_reveal — a reveal in two calls, without a round of its own. The first call sends the shares. The session goes on
// with the opening that it makes anyway. The second call takes the value that arrived in the meantime.
//
// The first call is the first half of reveal.h: each party refreshes its share with a share of zero, and sends it beside
// the tags of its transcript, directly. The second call waits for the messages of the others, compares the tags, and only
// then decodes. The messages travel beside the opening between the two calls, so the second call waits for nothing more.
//
// Requires    a reason; the session keeps the account. Between the two calls: a protocol with a round (an opening, for
//             example), which Session::after_next_round() finds. Both calls in the same order at all ranks
// Reveals     x to its recipients, and nothing else, as reveal.h
// Rounds      0
// Sends       in the first call, directly: k bits an element to each recipient, and 16 bytes to every other party, or 32
//             with more than two parties. The second call sends nothing
// Consumes    shares of zero from the seeds of pairs of parties; no dealt words
// Secure      against n-1 passive parties; the dealer has no part. A reveal protects in two ways against a word that two
//             parties saw differently before it (compare_transcripts.h), and so does this one:
//             1. The opened x is uniform if the transcripts of any pair differ when the first call begins: the streams of
//             the shares of zero are named by the tags of that time. x is a function of openings before the
//             first call, so every opening on which x depends is covered. A word that is damaged between the two calls
//             cannot change x; the next comparison finds it.
//             2. All ranks end before x is decoded, since the second call compares first. Between the calls, a party runs
//             at most one protocol on values that two parties may have seen differently. This protocol opens values under
//             masks, which are uniform for all values. If it is a reveal, it compares by itself.
//             Both ends hash the words of this reveal in the second call, so that no comparison between the calls sees
//             them at one end alone. The next comparison covers them
#pragma once

#include <memory>
#include <string_view>

#include "mpc/session/session.h"

namespace tacit::mpc {

// A value on its way to its recipients. The session must outlive it.
class LateReveal {
 public:
  struct Travelling;  // the messages of a party

  Shape shape() const { return x_.shape(); }

 private:
  friend class HandOver;
  friend class TakeRevealed;
  Share x_;  // only the clear session uses its contents
  To to_;
  std::shared_ptr<Travelling> travelling_;  // null at ranks that are no party; shared, as the contents of values are
};

// The first call. The session adds `reason` to its account of reveals before anything is sent.
LateReveal late_reveal(Session& session, const Share& share, To to, std::string_view reason);

// The second call. Throws ProtocolError, as reveal() does, if two parties saw different words before the first one.
Public revealed(Session& session, LateReveal late);

}  // namespace tacit::mpc
