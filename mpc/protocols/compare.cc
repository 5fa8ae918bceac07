#include "mpc/protocols/compare.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mpc/kernels/bit_slice.h"
#include "mpc/kernels/elementwise.h"
#include "mpc/protocols/subset_products.h"
#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr int kMostGroups = 8;
constexpr int kLargestGroup = 8;

struct Counts {
  int groups = 0;
  int first_dealt = 0;   // products within groups, and the top bit of r
  int second_dealt = 0;  // products for the carry
};

std::vector<int> groups_of(const Comparison& comparison) {
  return comparison_groups(comparison.hi - 1 - comparison.low);
}

Counts counts_of(const Comparison& comparison) {
  const std::vector<int> sizes = groups_of(comparison);
  Counts counts;
  counts.groups = static_cast<int>(sizes.size());
  counts.first_dealt = 1;
  for (const int size : sizes) counts.first_dealt += group_products(size);
  counts.second_dealt = carry_products(counts.groups);
  return counts;
}

// One comparison in progress at a party.
struct Running {
  std::vector<BitTensor> opened;  // generate of all groups, then propagate of all but the lowest
  std::vector<BitTensor> masks;   // the masks of `opened`
  BitTensor top;                  // bit hi-1: the share of r's; at the first party XORed with the inverse of c's
  std::vector<BitTensor> carry;   // the dealt products of `masks`
  BitTensor sign_mask;
};

// True if the dealt products of the earlier comparison serve this one, too.
bool same_deal(const Comparison& a, const Comparison& b) {
  return a.hi == b.hi && a.low == b.low && Inside::held_mask(a.shown) == Inside::held_mask(b.shown);
}

// For each comparison the index of the first one with the same deal, possibly its own.
std::vector<std::size_t> deals(std::span<const Comparison> comparisons) {
  std::vector<std::size_t> first;
  for (const Comparison& one : comparisons) {
    const auto found = std::find_if(comparisons.begin(), comparisons.end(),
                                    [&](const Comparison& earlier) { return same_deal(earlier, one); });
    first.push_back(static_cast<std::size_t>(found - comparisons.begin()));
  }
  return first;
}

void flip(const BitTensor& by, BitTensor& bits, Workers& workers) {
  constexpr std::int64_t kGrain = 1 << 14;  // words of bits
  const std::uint64_t* const from = by.words().data();
  std::uint64_t* const to = bits.words().data();
  workers.for_ranges(std::ssize(bits.words()), kGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t w = begin; w < end; ++w) to[w] ^= from[w];
  });
}

// The products of the bits of r, which serve every threshold of this shown value.
GroupProductsRequest first_request(const Comparison& comparison, RingView r) {
  return {r, comparison.low, comparison.hi, groups_of(comparison), counts_of(comparison).first_dealt};
}

// The products for the carry, from the masks of all opened bits.
CarryProductsRequest second_request(const Comparison& comparison, BitPlanes masks) {
  const Counts counts = counts_of(comparison);
  const auto groups = static_cast<std::size_t>(counts.groups);
  return {masks.first(groups), masks.subspan(groups), counts.second_dealt};
}

Running expand_groups(Party& party, const Comparison& comparison, BitPlanes dealt) {
  const Shown& shown = comparison.shown;
  const Shape shape = shown.shape();
  // The bits of offset - 1 - m are the inverted bits of c = m - offset.
  const std::uint64_t offset = shown_offset(shown.ring_bits()) + static_cast<std::uint64_t>(comparison.at);
  std::vector<BitTensor> same = BitTensor::several(shape, comparison.hi - comparison.low);
  bit_planes_of_difference(offset - 1, Inside::revealed(shown), comparison.low, same, party.workers());

  Running running;
  running.top = dealt.back();
  if (party.first()) flip(same.back(), running.top, party.workers());

  std::vector<BitTensor> propagate;
  std::size_t bit = 0, product = 0;
  for (const int group : groups_of(comparison)) {
    const auto size = static_cast<std::size_t>(group), products = static_cast<std::size_t>(group_products(group));
    GroupShares shares = expand_group(BitPlanes(same).subspan(bit, size), dealt.subspan(product, products),
                                      party.first(), party.workers());
    running.opened.push_back(std::move(shares.generate));
    if (bit > 0) propagate.push_back(std::move(shares.propagate));
    bit += size;
    product += products;
  }
  std::move(propagate.begin(), propagate.end(), std::back_inserter(running.opened));
  for (BitTensor& share : running.opened) {
    running.masks.push_back(party.correlations().mask_bits(shape));
    flip(running.masks.back(), share, party.workers());
  }
  return running;
}

// Takes the dealt products and the mask of the sign, which depend on no opened value, before the first opening. One party has
// received the dealt message of the groups by then, and another party receives this one, so neither waits for the other.
void take_dealt_for_sign(Party& party, const Comparison& comparison, Running& running) {
  running.carry = party.correlations().bits(second_request(comparison, running.masks));
  running.sign_mask = party.correlations().mask_bits(comparison.shown.shape());
}

// The share of the sign bit, from the opened deltas.
BitTensor expand_sign(Party& party, const Comparison& comparison, const Running& running) {
  const auto groups = static_cast<std::size_t>(counts_of(comparison).groups);
  const BitPlanes deltas(running.opened);
  BitTensor sign =
      expand_carry(deltas.first(groups), deltas.subspan(groups), running.carry, party.first(), party.workers());
  flip(running.top, sign, party.workers());
  return sign;
}

class Compare final : public OperationOf<std::vector<Bits>> {
 public:
  explicit Compare(std::span<const Comparison> comparisons) : comparisons_(comparisons) {}
  std::string_view name() const override { return "non-negative"; }
  Cost cost(const CostSetting& setting) const override;
  std::vector<Bits> at(Party& party) override;
  std::vector<Bits> at(Dealer& dealer) override;
  std::vector<Bits> at(Clear& clear) override;
  std::vector<Bits> at(Planner&) override;

 private:
  std::span<const Comparison> comparisons_;
};

Cost Compare::cost(const CostSetting& setting) const {
  Cost cost;
  const std::vector<std::size_t> deal = deals(comparisons_);
  std::vector<net::WordShape> first, second;
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    const net::WordShape bits = bit_shape(comparisons_[i].shown.shape());
    const Counts counts = counts_of(comparisons_[i]);
    const std::vector<BitTensor> masks = BitTensor::several(comparisons_[i].shown.shape(), 2 * counts.groups - 1);
    first.insert(first.end(), masks.size(), bits);
    second.push_back(bits);
    if (deal[i] == i) {
      const RingView r = without_contents(comparisons_[i].shown.shape());
      cost += correlation_cost(first_request(comparisons_[i], r), setting);
    }
    cost += correlation_cost(second_request(comparisons_[i], masks), setting);
  }
  return cost + opening_cost(first, setting) + opening_cost(second, setting);
}

std::vector<Bits> Compare::at(Party& party) {
  const std::vector<std::size_t> deal = deals(comparisons_);
  std::vector<std::vector<BitTensor>> dealt(comparisons_.size());
  std::vector<Running> running;
  std::vector<BitTensor> opened;
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    if (deal[i] == i) {
      dealt[i] = party.correlations().bits(first_request(comparisons_[i], Inside::mask(comparisons_[i].shown).view()));
    }
    running.push_back(expand_groups(party, comparisons_[i], dealt[deal[i]]));
    std::move(running.back().opened.begin(), running.back().opened.end(), std::back_inserter(opened));
  }
  dealt.clear();
  for (std::size_t i = 0; i < running.size(); ++i) take_dealt_for_sign(party, comparisons_[i], running[i]);
  party.open({}, opened);
  auto next = opened.begin();
  for (Running& one : running) {
    const auto end = next + std::ssize(one.opened);
    std::move(next, end, one.opened.begin());
    next = end;
  }

  std::vector<BitTensor> signs, masks;
  for (std::size_t i = 0; i < running.size(); ++i) {
    signs.push_back(expand_sign(party, comparisons_[i], running[i]));
    running[i].carry.clear();
    masks.push_back(std::move(running[i].sign_mask));
    flip(masks.back(), signs.back(), party.workers());
  }
  party.open({}, signs);
  std::vector<Bits> result;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    result.push_back(Inside::bits(comparisons_[i].shown.shape(), std::make_shared<const BitTensor>(std::move(signs[i])),
                                  std::make_shared<const BitTensor>(std::move(masks[i]))));
  }
  return result;
}

std::vector<Bits> Compare::at(Dealer& dealer) {
  const std::vector<std::size_t> deal = deals(comparisons_);
  std::vector<std::vector<BitTensor>> masks;  // generates and propagates of each comparison
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    const Comparison& one = comparisons_[i];
    if (deal[i] == i) dealer.deal(first_request(one, Inside::mask(one.shown).view()));
    std::vector<BitTensor>& own = masks.emplace_back();
    for (int b = 0; b < 2 * counts_of(one).groups - 1; ++b) own.push_back(dealer.mask_bits(one.shown.shape()));
  }
  std::vector<Bits> result;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const Shape shape = comparisons_[i].shown.shape();
    dealer.deal(second_request(comparisons_[i], masks[i]));
    result.push_back(Inside::bits(shape, nullptr, std::make_shared<const BitTensor>(dealer.mask_bits(shape))));
  }
  return result;
}

std::vector<Bits> Compare::at(Clear& clear) {
  std::vector<Bits> result;
  for (const Comparison& comparison : comparisons_) {
    const Shown& shown = comparison.shown;
    const int k = shown.ring_bits();
    RingTensor x(shown.shape(), k);
    add_constant(Inside::revealed(shown), std::uint64_t{0} - shown_offset(k), x, clear.workers());
    clear.expect_below("comparison", x, comparison.at, std::ldexp(1.0, comparison.hi - 1), shown.fraction_bits());
    BitTensor bits = BitTensor::zeros(shown.shape());
    const RingTensor ignored = comparison.low > 0 ? clear.dither(shown.shape(), comparison.low) : RingTensor();
    for (std::int64_t i = 0; i < bits.size(); ++i) {
      // The ignored bits of c and r give a borrow that is lost: as if x were larger by up to 2^low - 1.
      const auto lost = comparison.low > 0 ? static_cast<std::int64_t>(ignored.data()[i]) : 0;
      const std::uint64_t sign = signed_value(x.data()[i], k) + lost >= comparison.at ? 1 : 0;
      bits.words()[static_cast<std::size_t>(i / kWordBits)] |= sign << (i % kWordBits);
    }
    result.push_back(Inside::bits(shown.shape(), std::make_shared<const BitTensor>(std::move(bits)), nullptr));
  }
  return result;
}

std::vector<Bits> Compare::at(Planner&) {
  std::vector<Bits> bits;
  for (const Comparison& comparison : comparisons_) {
    bits.push_back(Inside::bits(comparison.shown.shape(), nullptr, nullptr));
  }
  return bits;
}

}  // namespace

std::vector<int> comparison_groups(int bits) {
  TACIT_CHECK(bits >= 1);
  std::vector<int> best;
  std::int64_t least = 0;
  for (int m = 1; m <= std::min(kMostGroups, bits); ++m) {
    std::vector<int> sizes;
    for (int i = 0; i < m; ++i) sizes.push_back(bits / m + (i < bits % m ? 1 : 0));
    if (sizes.front() > kLargestGroup) continue;
    std::int64_t dealt = carry_products(m);
    for (const int size : sizes) dealt += group_products(size);
    if (best.empty() || dealt < least) {
      best = sizes;
      least = dealt;
    }
  }
  TACIT_CHECK(!best.empty());
  return best;
}

std::vector<Bits> non_negative(Session& session, std::span<const Comparison> comparisons) {
  for (const Comparison& comparison : comparisons) {
    TACIT_CHECK(comparison.hi <= comparison.shown.ring_bits() - 1);
    TACIT_CHECK(comparison.low >= 0 && comparison.hi - comparison.low >= 2);
  }
  return session.run(Compare(comparisons));
}

Bits non_negative(Session& session, const Shown& shown, int hi) {
  const Comparison one{shown, hi};
  return non_negative(session, std::span(&one, 1)).front();
}

}  // namespace tacit::mpc
