// expect_known_answer is a known-answer test of a session before any data are shared. The test computes a fixed
// value on shares, reveals it, and compares it with the public answer.
//
// The program makes every kind of call of a training: inputs of every owner, a constant, masks, products of
// elements and of matrices, drops, a show, a lift, a comparison, a selection, indicators, a second product
// of a shown value, a reveal to everyone. The test therefore exercises the streams of every pair of ranks, the
// dealer's corrections and the rounding offsets. Ranks of two builds with different streams, generators or
// roundings get a wrong answer, and so does a rank with damaged memory.
//
// Requires    nothing; the numbers are fixed
// Reveals     the answer, which is public; the session's account of reveals lists it as kKnownAnswer
// Error       a correct session passes: every element is compared within the error of its roundings
//             (drop.h), and the mean error of 256 roundings within seven standard deviations
// Rounds      5: mask, show, comparison (2), reveal
// Sends       12 kB to each peer
// Consumes    17 kB are dealt
// Throws      ProtocolError at every party if the answer is wrong; the answer does not tell which rank is
//             at fault
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

inline constexpr std::string_view kKnownAnswer = "test value (no data)";

void expect_known_answer(Session& session);

// The same account, with the line of the test value after the lines about data.
std::vector<Reveal> with_test_value_last(std::vector<Reveal> account);

}  // namespace tacit::mpc
