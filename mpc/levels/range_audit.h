// RangeAudit finds out whether a value has left its declared range. The audit watches all opened values, and one
// opening at the end gives the answer.
//
// Let x be a value in a ring of k bits. Narrow it to j < k bits, open it, and lift it back. The result is x if |x| <
// 2^(j-2) units; otherwise it differs from x by a multiple e·2^j. The audit makes this comparison in two ways. For a
// lift, it compares the lifted value with the value before narrowing, at no cost. For a value that is opened in its
// own ring, it lifts the low bits of the same opening and compares them with the value. This needs no further opening, and
// two dealt words of kOverBits bits an element. The audit multiplies random public combinations of the differences by
// secret odd random numbers of the parties, adds them up, and reveals the sums. The sums are zero unless a value has left
// its range.
//
// Detects     with B = 2^b units the power of two at or above a declared range (j = b + 2): never an |x| <= B; every
//             error that a lift made; |x| >= 3B of a value that is opened in its own ring, and between B and 3B each
//             element with probability (|x| - B)/2B, so a comparison there must be exact up to 3B. All this holds for
//             |x| < 2^(k-1) and |x| < 2^(j + kOverBits - 1). A larger x has wrapped in its ring or in the audit, and one
//             wrapped element passes with probability 2^-min(k - j, kOverBits)
// Misses      never a tensor with one such element, or with an odd number whose e is odd. Several elements with probability
//             2^(1-2w), w = min(k - j, kOverBits), and less surely by 2^2v if 2^v divides every e: a ring that is hardly wider
//             than the range leaves w small, and w = 0 is not watched. The coefficients are the same in every run, so elements
//             that are missed together are missed together in every run. An added difference stays in the sums, so the next
//             opening shows it again, or misses it again
// Reveals     kSums zeros to all parties if no value has left its range. After a hit, random multiples of the
//             combinations, which show the largest power of two that divides each, and nothing else
// Rounds      watch: 0; opening: 2, or 1 if the sums travel with the next opening of the session (open_late)
// Consumes    watch: 2·min(k - j, kOverBits) dealt bits an element that is opened in its own ring, nothing for lifts
// Secure      as its protocols; the coefficients are public and independent of the data
// Thread      as a Session
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mpc/protocols/late_reveal.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

class RangeAudit {
 public:
  static constexpr int kSums = 2;       // random combinations
  static constexpr int kOverBits = 20;  // bits above the range in which differences are known
  static constexpr std::int64_t kAtOnce = std::int64_t{1} << 22;

  // The session must outlive the audit. Every watched value belongs to one of `groups` groups. An opened value is compared in
  // blocks of rows with at most `at_once` elements, which bounds the memory.
  RangeAudit(Session& session, int groups, std::int64_t at_once = kAtOnce);

  // The ring in which values of a declared range are watched: j.
  static int ring_of(int fraction_bits, double range);

  // `after` was lifted from a ring of `through` bits, to which `before` had been narrowed.
  void watch_lift(int group, const Share& after, const Share& before, int through);
  // `opened` is `before`, narrowed and shown.
  void watch_narrowed(int group, const Shown& opened, const Share& before);
  // `x` was opened in its own ring. Checks whether it would have fitted a ring of `ring_bits` bits.
  void watch(int group, const Shown& opened, const Share& x, int ring_bits);
  void watch(int group, const Masked& opened, const Share& x, int ring_bits);

  // All parties see zeros if no value has left its range so far. `with` masks the shares; by default, in a round of their own.
  using Masking = std::function<std::vector<Masked>(std::span<const Share>)>;
  Public open(std::string_view reason, const Masking& with = {});
  // The same, and the sums are seen after the next opening (late_reveal.h).
  LateReveal open_late(std::string_view reason, const Masking& with = {});
  // After a hit: a row per group, with kSums numbers. Only parties call this; the dealer has no part in it.
  Public open_groups(std::string_view reason);
  // A value was watched since the last audit: the next one may find more.
  bool has_news() const { return has_news_; }
  static bool is_clean(const Matrix& opened) { return (opened.array() == 0).all(); }
  static bool left_range(const Matrix& groups, int group);

 private:
  // An opening M = x + mask + offset.
  struct Opened {
    Held<RingTensor> revealed, mask;
    std::uint64_t offset = 0;
  };

  void watch(int group, const Opened& opened, const Share& x, int ring_bits);
  void compare(int group, const Shown& narrow, const Share& x);
  void add(int group, const Share& difference);
  Share own_numbers();
  Share total(const Masking& with);

  Session& session_;
  const std::int64_t at_once_;
  std::vector<Share> sums_;  // by group: a row
  std::uint64_t tensors_ = 0;
  bool has_news_ = false;
  std::optional<Masked> numbers_;  // the parties' secret factors; one for each sum
  Share products_;                 // products of the last opening
};

}  // namespace tacit::mpc
