#include "mpc/protocols/noisy_sum.h"

#include <cmath>
#include <vector>

#include "mpc/protocols/compare_transcripts.h"
#include "mpc/random/discrete_gaussian.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"
#include "net/collectives/made_words.h"

namespace tacit::mpc {

namespace {

constexpr double kMostOfOwn = 0x1p52;

class RevealNoisySum final : public OperationOf<Public> {
 public:
  RevealNoisySum(const NoisySum& sum, const OwnNumbers& own, int parties)
      : sum_(sum), own_(own), parties_(parties), each_(noise_parts(sum.noise, parties).each) {}
  std::string_view name() const override { return "noisy sum"; }
  Cost cost(const CostSetting& setting) const override;
  Public at(Party& party) override;
  Public at(Dealer&) override { return Inside::unseen(sum_.shape); }
  Public at(Clear& clear) override;
  Public at(Planner&) override { return Inside::unseen(sum_.shape); }

 private:
  // The party's own numbers from `begin` on, as words of the format.
  RingTensor made(std::int64_t begin, std::int64_t count) const;
  // Adds the numbers, rounded to the opened format, to these words.
  void add_rounded(const RingTensor& numbers, std::uint64_t* to) const;
  Public seen(const RingTensor& sum) const {
    return Inside::revealed(sum_.shape, decode(sum, sum_.opened.fraction_bits));
  }

  const NoisySum& sum_;
  const OwnNumbers& own_;
  const int parties_;
  const std::int64_t each_;  // a party's noise, as a deviation in units
};

RingTensor RevealNoisySum::made(std::int64_t begin, std::int64_t count) const {
  std::vector<double> units(static_cast<std::size_t>(count));
  own_(begin, units);
  RingTensor words({1, count}, sum_.format.ring_bits);
  for (std::size_t i = 0; i < units.size(); ++i) {
    TACIT_CHECK(std::abs(units[i]) <= kMostOfOwn && units[i] == std::trunc(units[i]));
    words.data()[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(units[i])) & low_bits(sum_.format.ring_bits);
  }
  return words;
}

void RevealNoisySum::add_rounded(const RingTensor& numbers, std::uint64_t* to) const {
  const int dropped = sum_.format.fraction_bits - sum_.opened.fraction_bits;
  const std::int64_t half = dropped == 0 ? 0 : std::int64_t{1} << (dropped - 1);
  const std::uint64_t ring = low_bits(sum_.opened.ring_bits);
  for (std::int64_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t value = signed_value(numbers.data()[i], numbers.bits());
    to[i] = (to[i] + static_cast<std::uint64_t>((value + half) >> dropped)) & ring;
  }
}

Cost RevealNoisySum::cost(const CostSetting& setting) const {
  const net::WordShape opened = word_shape(sum_.shape, sum_.opened.ring_bits);
  return TagExchange::cost(setting) + opening_cost(std::span(&opened, 1), setting);
}

// The words begin as a share of zero. The tags are sent first and compared before anything is decoded.
Public RevealNoisySum::at(Party& party) {
  RingTensor share = RingTensor::zeros(sum_.shape, sum_.opened.ring_bits);
  party.refresh(share);
  TagExchange tags(party);
  party.own_noise().expect(each_, share.size());
  const net::Words words{share.words(), share.bits()};
  const net::AllReduce algorithm = party.cost_setting().plan->choose(net::Tensors(&words, 1));
  net::all_reduce(party.group(), words, algorithm, [&](std::int64_t begin, std::int64_t count) {
    RingTensor own = made(begin, count);
    party.own_noise().add(each_, own);
    add_rounded(own, share.data() + begin);
  });
  party.transcript().absorb(share.words());
  tags.expect_equal();
  return seen(share);
}

Public RevealNoisySum::at(Clear& clear) {
  RingTensor own = made(0, sum_.shape.size());
  UniformWords random = clear.uniform_words();
  const DiscreteGaussian gaussian = DiscreteGaussian::of_sigma(each_);
  for (int party = 0; party < parties_; ++party) {
    for (std::uint64_t& word : own.words()) {
      word = (word + static_cast<std::uint64_t>(gaussian.draw(random))) & low_bits(own.bits());
    }
  }
  RingTensor rounded = RingTensor::zeros(sum_.shape, sum_.opened.ring_bits);
  add_rounded(own, rounded.data());
  return seen(rounded);
}

}  // namespace

Public reveal_noisy_sum(Session& session, const NoisySum& sum, const OwnNumbers& own, std::string_view reason) {
  const int dropped = sum.format.fraction_bits - sum.opened.fraction_bits;
  TACIT_CHECK(sum.noise.from == NoiseFrom::kParties && dropped >= 0 && dropped < kWordBits - 2);
  TACIT_CHECK(largest_noise(sum.noise, session.parties()) < std::ldexp(1.0, sum.format.ring_bits - 1));
  session.note_reveal(reason, To::everyone(), sum.shape.size());
  return session.run(RevealNoisySum(sum, own, session.parties()));
}

}  // namespace tacit::mpc
