#include "mpc/protocols/noise.h"

#include <fmt/format.h>

#include <cmath>

#include "mpc/kernels/elementwise.h"
#include "mpc/random/discrete_gaussian.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

int colluding_of(const Noise& noise, int parties) { return noise.colluding < 0 ? parties - 1 : noise.colluding; }

// The square root of `square`, rounded up to a whole number. `square` is below 2^106.
std::int64_t root_above(DoubleWord square) {
  auto root = static_cast<DoubleWord>(std::sqrt(static_cast<double>(square)));
  while (root * root >= square && root > 0) --root;
  while (root * root < square) ++root;
  return static_cast<std::int64_t>(root);
}

DoubleWord squared(std::int64_t number) { return static_cast<DoubleWord>(number) * static_cast<DoubleWord>(number); }

class AddNoise final : public OperationOf<Share> {
 public:
  AddNoise(const Share& x, const Noise& noise, int parties) : x_(x), noise_(noise), parties_(parties) {}
  std::string_view name() const override { return "noise"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override { return planner.made(x_.shape(), x_.format()); }

 private:
  NoiseRequest request(std::int64_t dealt) const { return {x_.shape(), x_.ring_bits(), dealt}; }

  const Share& x_;
  const Noise noise_;
  const int parties_;
};

Cost AddNoise::cost(const CostSetting& setting) const {
  Noise noise = noise_;  // a plan may be for fewer parties than the job has
  noise.colluding = std::min(noise.colluding, setting.parties - 1);
  const std::int64_t dealt = noise_parts(noise, setting.parties).dealt;
  if (dealt == 0) return {};
  return correlation_cost(request(dealt), setting);
}

Share AddNoise::at(Party& party) {
  const NoiseParts parts = noise_parts(noise_, party.parties());
  RingTensor out = Inside::words(x_);
  if (parts.dealt > 0) add(out, party.correlations().words(request(parts.dealt)).front(), out, party.workers());
  if (parts.each > 0) party.own_noise().add(parts.each, out);
  return Inside::share(x_.shape(), x_.format(), std::move(out));
}

Share AddNoise::at(Dealer& dealer) {
  const NoiseParts parts = noise_parts(noise_, dealer.parties());
  if (parts.dealt > 0) dealer.deal(request(parts.dealt));
  return Inside::nothing(x_.shape(), x_.format());
}

Share AddNoise::at(Clear& clear) {
  const NoiseParts parts = noise_parts(noise_, parties_);
  UniformWords random = clear.uniform_words();
  RingTensor out = Inside::words(x_);
  const auto add_draws = [&](std::int64_t sigma) {
    const DiscreteGaussian gaussian = DiscreteGaussian::of_sigma(sigma);
    for (std::uint64_t& word : out.words()) {
      word = (word + static_cast<std::uint64_t>(gaussian.draw(random))) & low_bits(out.bits());
    }
  };
  if (parts.dealt > 0) add_draws(parts.dealt);
  for (int party = 0; party < parties_ && parts.each > 0; ++party) add_draws(parts.each);
  return Inside::share(x_.shape(), x_.format(), std::move(out));
}

}  // namespace

NoiseParts noise_parts(const Noise& noise, int parties) {
  TACIT_CHECK(noise.sigma >= 1 && noise.sigma <= DiscreteGaussian::kMostSigma);
  const int together = colluding_of(noise, parties);
  if (together >= parties) {
    throw ConfigError(
        fmt::format("noise against {} of {} parties that pool their knowledge: at least one party must "
                    "stay out, so the number must be below {}",
                    together, parties, parties));
  }
  const auto n = static_cast<DoubleWord>(parties), honest = static_cast<DoubleWord>(parties - together);
  const DoubleWord all = squared(noise.sigma);
  const auto each_of = [&](DoubleWord count) { return root_above((all + count - 1) / count); };
  NoiseParts parts;
  if (noise.from == NoiseFrom::kDealt) parts.dealt = noise.sigma;
  if (noise.from == NoiseFrom::kParties) parts.each = each_of(honest);
  if (noise.from == NoiseFrom::kBoth) {
    parts.each = each_of(n);
    const DoubleWord own = honest * squared(parts.each);
    parts.dealt = own >= all ? 0 : root_above(all - own);
  }
  return parts;
}

NoiseParts::Left NoiseParts::left(int parties, int colluding) const {
  const auto d = static_cast<double>(dealt), own = static_cast<double>(each);
  const auto sigma = [&](double dealt_variance, int count) { return std::sqrt(dealt_variance + count * own * own); };
  return {sigma(d * d, parties), sigma(0, parties), sigma(d * d, parties - colluding)};
}

double largest_noise(const Noise& noise, int parties) {
  const NoiseParts parts = noise_parts(noise, parties);
  return static_cast<double>(DiscreteGaussian::kCut * (parts.dealt + parties * parts.each));
}

Share add_noise(Session& session, const Share& x, const Noise& noise) {
  TACIT_CHECK(largest_noise(noise, session.parties()) < std::ldexp(1.0, x.ring_bits() - 1));
  return session.run(AddNoise(x, noise, session.parties()));
}

}  // namespace tacit::mpc
