// RangeAudit — was anything outside its declared range? One revealed bit, however much is watched.
//
// A range that is violated gives silently wrong values, and nobody can see it: this asks, once an epoch. For every
// element of what it watches, x >= -B and x > B are compared (they share what is dealt of r), what is outside is
// counted, and whether the count is zero is all that is revealed.
//
// Detects     every |x| between B and 2^(k-2) - B units. Further out a value wraps, in the audit as in the protocol
//             that it was shown for: declare bounds well inside the ring, so that what leaves the one is seen on its
//             way
// Reveals     one bit, to all parties
// Rounds      6 for everything watched, and nothing before
// Thread      as a Session
#pragma once

#include <string_view>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

class RangeAudit {
 public:
  // The session must outlive it.
  explicit RangeAudit(Session& session) : session_(session) {}

  // |x| <= bound, in real terms; bound must be below a quarter of what could be shown. Keeps a handle until the reveal.
  void watch(const Shown& shown, double bound);

  // 1 if anything was outside since the last reveal, else 0. Everything is forgotten after it.
  Public reveal_whether_any_was_outside(std::string_view reason);

 private:
  struct Watched {
    Shown shown;
    std::int64_t units;
  };
  Session& session_;
  std::vector<Watched> watched_;
};

}  // namespace tacit::mpc
