#include "tests/mpc/gathered_correlations.h"

#include <gtest/gtest.h>

#include <barrier>
#include <random>

#include "tests/mpc/correlation_values.h"

namespace tacit::mpc {

namespace {

// The meeting point of the parties of a run.
class Meeting {
 public:
  explicit Meeting(int parties) : barrier_(parties), words_(slots(parties)), bits_(slots(parties)) {}

  // This party's shares. The first party takes the remainder, all others draw.
  std::vector<RingTensor> words(int rank, const WordRequest& request) {
    words_[slot(rank)] = &request;
    barrier_.arrive_and_wait();
    if (rank == 0) std::visit([this](const auto& one) { make(one); }, request);
    barrier_.arrive_and_wait();
    std::vector<RingTensor> own = std::move(word_shares_[slot(rank)]);
    barrier_.arrive_and_wait();
    return own;
  }

  std::vector<BitTensor> bits(int rank, const BitRequest& request) {
    bits_[slot(rank)] = &request;
    barrier_.arrive_and_wait();
    if (rank == 0) std::visit([this](const auto& one) { make_bits(one); }, request);
    barrier_.arrive_and_wait();
    std::vector<BitTensor> own = std::move(bit_shares_[slot(rank)]);
    barrier_.arrive_and_wait();
    return own;
  }

  void leave() { barrier_.arrive_and_drop(); }

 private:
  static std::size_t slots(int parties) { return static_cast<std::size_t>(parties); }
  static std::size_t slot(int rank) { return static_cast<std::size_t>(rank); }

  template <typename Request>
  void make(const Request& first) {
    std::vector<const Request*> all;
    for (const WordRequest* request : words_) all.push_back(&std::get<Request>(*request));
    const std::vector<Plain> made = values(all);
    const std::vector<int> widths = first.widths();
    TACIT_CHECK(made.size() == widths.size());
    word_shares_.assign(words_.size(), {});
    for (std::size_t t = 0; t < made.size(); ++t) {
      Plain rest = made[t];
      TACIT_CHECK(std::ssize(rest) == first.shape().size());
      for (std::size_t party = words_.size(); party-- > 0;) {
        RingTensor share(first.shape(), widths[t]);
        for (std::size_t i = 0; i < rest.size(); ++i) {
          const std::uint64_t drawn = party == 0 ? rest[i] : random_();
          share.data()[i] = drawn & low_bits(widths[t]);
          rest[i] -= drawn;
        }
        word_shares_[party].push_back(std::move(share));
      }
    }
  }

  template <typename Request>
  void make_bits(const Request& first) {
    std::vector<const Request*> all;
    for (const BitRequest* request : bits_) all.push_back(&std::get<Request>(*request));
    const std::vector<PlainBits> made = values(all);
    TACIT_CHECK(std::ssize(made) == first.count);
    bit_shares_.assign(bits_.size(), {});
    for (PlainBits rest : made) {
      for (std::size_t party = bits_.size(); party-- > 0;) {
        BitTensor share = BitTensor::zeros(first.shape());
        for (std::size_t i = 0; i < rest.size(); ++i) {
          const std::uint64_t drawn = party == 0 ? rest[i] : random_() & 1;
          share.words()[i / kWordBits] |= drawn << (i % kWordBits);
          rest[i] ^= drawn;
        }
        bit_shares_[party].push_back(std::move(share));
      }
    }
  }

  std::barrier<> barrier_;
  std::vector<const WordRequest*> words_;  // by party, for the correlation in progress
  std::vector<const BitRequest*> bits_;
  std::vector<std::vector<RingTensor>> word_shares_;
  std::vector<std::vector<BitTensor>> bit_shares_;
  std::mt19937_64 random_{17};
};

class GatheredCorrelations final : public Correlations {
 public:
  GatheredCorrelations(std::shared_ptr<Meeting> meeting, int rank)
      : meeting_(std::move(meeting)), rank_(rank), random_(static_cast<unsigned>(rank) + 1) {}
  ~GatheredCorrelations() override { meeting_->leave(); }

  void begin(std::int64_t /*operation*/) override {}
  RingTensor mask(const MaskRequest& request) override {
    RingTensor mask(request.shape, request.bits);
    for (std::uint64_t& word : mask.words()) word = random_() & low_bits(request.bits);
    return mask;
  }
  BitTensor mask_bits(Shape shape) override {
    BitTensor mask(shape);
    for (std::uint64_t& word : mask.words()) word = random_();
    mask.clear_padding();
    return mask;
  }
  Permutation order(int owner, std::int64_t count) override {
    if (owner != rank_) return {};
    std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for_permutation(count)));
    for (std::uint64_t& word : words) word = random_();
    return permutation_from(words, count);
  }
  std::vector<RingTensor> words(const WordRequest& request) override { return meeting_->words(rank_, request); }
  std::vector<BitTensor> bits(const BitRequest& request) override { return meeting_->bits(rank_, request); }
  std::chrono::nanoseconds waited() const override { return {}; }

 private:
  std::shared_ptr<Meeting> meeting_;
  const int rank_;
  std::mt19937_64 random_;
};

}  // namespace

CorrelationSource gathered_correlations(int parties) {
  return [meeting = std::make_shared<Meeting>(parties)](net::Mesh& mesh, const Nonce&, Workers&) {
    return std::make_unique<GatheredCorrelations>(meeting, mesh.rank());
  };
}

void expect_everywhere(const Function& program, const Matrix& expected) {
  EXPECT_EQ(revealed_in_the_clear(program), expected);
  for (const int parties : {1, 2, 3, 5, 8}) EXPECT_EQ(revealed_by_parties(parties, program), expected);
  for (const int parties : {2, 3}) {
    RunOptions options;
    options.source = gathered_correlations(parties);
    EXPECT_EQ(revealed_by_parties(parties, program, options), expected);
  }
  EXPECT_EQ(revealed_by_parties(3, program, {.from = CorrelationsFrom::kParties}), expected) << "without a dealer";
  for (const int parties : {1, 2, 5}) {
    EXPECT_EQ(revealed_by_parties(parties, program, {.from = CorrelationsFrom::kAheadBySoftSpoken}), expected)
        << parties << " with makers";
  }
}

}  // namespace tacit::mpc
