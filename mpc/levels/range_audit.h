// RangeAudit — has any value left the range that was declared for it? It watches values as they are opened, and one
// opening at the end tells of all of them.
//
// A value x of a ring of k bits that was narrowed to j < k bits, opened and lifted back comes back as itself if |x| <
// 2^(j-2) units, and differs by a multiple e·2^j of 2^j if it did not fit. So the audit compares: what was lifted with
// the value before it was narrowed, for nothing; and a value that is opened in its own ring with its own low bits,
// lifted through the same opening: nothing more is opened, and two words of kOverBits bits an element are dealt. Random
// public combinations of these differences are added up, times secret random numbers of the parties' own, and revealed:
// zeros, unless a range was left.
//
// Detects     with B = 2^b units the power of two at or above a declared range (j = b + 2): never an |x| <= B; every
//             error that a lift made; |x| >= 3B of a value that is opened in its own ring, and between B and 3B each
//             element with probability (|x| - B)/2B, so a comparison there must be exact up to 3B. All this holds for
//             |x| < 2^(k-1) and |x| < 2^(j + kOverBits - 1): beyond, x has wrapped in its ring or in the audit, and one
//             wrapped element passes with probability 2^-min(k - j, kOverBits)
// Misses      one such element with probability below 2^-(2·(kOverBits - 1)) if its e is odd, and less surely by 2^2v
//             for e divisible by 2^v; a difference that has been added stays: the next opening tells of it again
// Reveals     kSums zeros to all parties where nothing has left its range. After a hit random multiples of the
//             combinations: they tell the largest power of two that divides each, and nothing else
// Rounds      watch: 0; opening: 2
// Consumes    watch: 2·min(k - j, kOverBits) dealt bits an element that is opened in its own ring, nothing for lifts
// Secure      as its protocols; the coefficients are public and independent of the data
// Thread      as a Session
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

class RangeAudit {
 public:
  static constexpr int kSums = 2;       // random combinations
  static constexpr int kOverBits = 20;  // above the range: of these the differences are known

  // The session must outlive it. What is watched belongs to one of so many groups.
  RangeAudit(Session& session, int groups);

  // The ring in which values of a declared range are watched: j.
  static int ring_of(int fraction_bits, double range);

  // `after` was lifted from a ring of `through` bits, to which `before` had been narrowed.
  void watch_lift(int group, const Share& after, const Share& before, int through);
  // `opened` is `before`, narrowed and shown.
  void watch_narrowed(int group, const Shown& opened, const Share& before);
  // `x` was opened in its own ring: whether it would have fitted one of so many bits.
  void watch(int group, const Shown& opened, const Share& x, int ring_bits);
  void watch(int group, const Masked& opened, const Share& x, int ring_bits);

  // All parties see zeros if no value has left its range so far.
  Public open(std::string_view reason);
  // After a hit, among parties alone: of each group, kSums numbers beside each other. The dealer has no part in it.
  Public open_groups(std::string_view reason);
  static bool is_clean(const Matrix& opened) { return (opened.array() == 0).all(); }
  static bool left_range(const Matrix& groups, int group);

 private:
  void compare(int group, const Shown& narrow, const Share& x);
  void add(int group, const Share& difference);
  Share own_numbers();

  Session& session_;
  std::vector<Share> sums_;  // of each group, a row
  std::uint64_t tensors_ = 0;
  std::optional<Masked> numbers_;  // the parties' secret factors; one for each sum
  Share products_;                 // of the last opening
};

}  // namespace tacit::mpc
