// Requests of all parties, made among them, for tests: the parties' shares summed up, next to the values of the requests. The cost is
// checked on the way: the messages of a rank equal its plan, which reads a request without contents.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "mpc/correlations/pairwise_correlations.h"
#include "tests/mpc/correlation_values.h"
#include "tests/net/meshes.h"
#include "tests/sanitized.h"

namespace tacit::mpc {

// Under a sanitizer, three parties stand for all: a fifth of the time.
inline const std::vector<int> kNumbersOfParties = kSlowdown == 1 ? std::vector{1, 2, 3, 5} : std::vector{1, 3};

// Masks of one party, or none of a plan. They outlive its requests.
class TestMasks {
 public:
  TestMasks(int rank, int parties, bool contents) : rank_(rank), parties_(parties), contents_(contents) {}

  int rank() const { return rank_; }
  int parties() const { return parties_; }

  RingView words(Shape shape) { return words(shape, nullptr); }
  // Shares of these values.
  RingView sharing(Shape shape, const Plain& values) { return words(shape, &values); }
  const BitTensor* bits(Shape shape) {
    ++draws_;
    BitTensor& tensor = bits_.emplace_back(BitTensor(shape));
    if (!contents_) return &tensor;  // for its shape
    std::mt19937_64 random = stream(rank_);
    for (std::uint64_t& word : tensor.words()) word = random();
    tensor.clear_padding();
    return &tensor;
  }
  // The same at every party that asks for it.
  const Permutation* order(std::int64_t count) {
    ++draws_;
    std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for_permutation(count)));
    std::mt19937_64 random = stream(-1);
    for (std::uint64_t& word : words) word = random();
    return contents_ ? &orders_.emplace_back(permutation_from(words, count)) : nullptr;
  }

 private:
  std::mt19937_64 stream(int rank) const { return std::mt19937_64(static_cast<unsigned>(1000 * draws_ + rank + 1)); }

  // Random words; or, of a sum that is given, the rest at rank 0.
  RingView words(Shape shape, const Plain* sum) {
    ++draws_;
    if (!contents_) return without_contents(shape);
    RingTensor& tensor = words_.emplace_back(RingTensor(shape, kWordBits));
    std::mt19937_64 own = stream(rank_);
    for (std::uint64_t& word : tensor.words()) word = own();
    if (sum == nullptr || rank_ > 0) return tensor.view();
    std::ranges::copy(*sum, tensor.data());
    for (int other = 1; other < parties_; ++other) {
      std::mt19937_64 random = stream(other);
      for (std::uint64_t& word : tensor.words()) word -= random();
    }
    return tensor.view();
  }

  const int rank_, parties_;
  const bool contents_;
  int draws_ = 0;
  std::deque<RingTensor> words_;
  std::deque<BitTensor> bits_;
  std::deque<Permutation> orders_;
};

template <typename Request>
using Ask = std::function<Request(TestMasks&)>;

// By tensor: the sums of the parties' shares, and the values of the request, both reduced to the tensor's width.
struct MadeTensors {
  std::vector<Plain> sums, expected;
  std::vector<int> widths;

  // Of each element of a tensor, sum - expected as a signed number; the largest absolute value.
  std::uint64_t farthest(std::size_t t) const {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < sums[t].size(); ++i) {
      const std::int64_t off = signed_value(sums[t][i] - expected[t][i], widths[t]);
      most = std::max(most,
                      off < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(off) : static_cast<std::uint64_t>(off));
    }
    return most;
  }
};

// One for each request.
template <typename Request>
std::vector<MadeTensors> made_by_parties(int parties, const std::vector<Ask<Request>>& asks) {
  const auto ranks = static_cast<std::size_t>(parties);
  std::vector<std::deque<TestMasks>> masks(asks.size());
  std::vector<std::vector<Request>> requests(asks.size());
  std::vector<std::vector<std::vector<RingTensor>>> shares(asks.size(), std::vector<std::vector<RingTensor>>(ranks));
  for (std::size_t i = 0; i < asks.size(); ++i) {
    for (int rank = 0; rank < parties; ++rank) {
      requests[i].push_back(asks[i](masks[i].emplace_back(rank, parties, true)));
    }
  }
  net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    Workers workers(2);
    const std::unique_ptr<Correlations> source = pairwise_correlations(mesh, Nonce{}, workers);
    for (std::size_t i = 0; i < asks.size(); ++i) {
      source->begin(static_cast<std::int64_t>(i));
      const net::Traffic before = mesh.traffic();
      const auto rank = static_cast<std::size_t>(mesh.rank());
      shares[i][rank] = source->words(requests[i][rank]);
      const net::Traffic moved = mesh.traffic() - before;
      const MadeCost measured{moved.rounds, moved.total().payload_sent, moved.total().messages_sent};
      TestMasks none(mesh.rank(), parties, false);
      MadeCost stated = made_cost(asks[i](none), parties, mesh.rank(), CorrelationsFrom::kParties);
      stated.transfers = stated.leakage = 0;  // no part of the traffic
      EXPECT_EQ(measured, stated) << "request " << i << " at rank " << rank;
      if (parties == 1) {
        EXPECT_EQ(measured, MadeCost());
      }
    }
  });
  std::vector<MadeTensors> all;
  for (std::size_t i = 0; i < asks.size(); ++i) {
    std::vector<const Request*> pointers;
    for (const Request& one : requests[i]) pointers.push_back(&one);
    MadeTensors& tensors = all.emplace_back(MadeTensors{{}, values(pointers), requests[i].front().widths()});
    EXPECT_EQ(tensors.expected.size(), tensors.widths.size());
    for (std::size_t t = 0; t < tensors.widths.size(); ++t) {
      const std::uint64_t ring = low_bits(tensors.widths[t]);
      for (std::uint64_t& word : tensors.expected[t]) word &= ring;
      Plain& sum = tensors.sums.emplace_back(tensors.expected[t].size());
      for (const std::vector<RingTensor>& share : shares[i]) {
        EXPECT_EQ(share.size(), tensors.widths.size());
        EXPECT_EQ(share[t].size(), std::ssize(sum));
        EXPECT_EQ(share[t].bits(), tensors.widths[t]);
        for (std::size_t e = 0; e < sum.size(); ++e) {
          EXPECT_EQ(share[t].data()[e] & ~ring, 0U);
          sum[e] = (sum[e] + share[t].data()[e]) & ring;
        }
      }
    }
  }
  return all;
}

// Checks that every sum is exact.
template <typename Request>
std::vector<MadeTensors> expect_exact(int parties, const std::vector<Ask<Request>>& asks) {
  std::vector<MadeTensors> all = made_by_parties(parties, asks);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t t = 0; t < all[i].sums.size(); ++t) {
      EXPECT_EQ(all[i].sums[t], all[i].expected[t]) << parties << " parties, request " << i << ", tensor " << t;
    }
  }
  return all;
}

}  // namespace tacit::mpc
