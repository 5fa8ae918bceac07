#include "mpc/protocols/subset_products.h"

#include "mpc/kernels/loops.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kMostBits = 8;  // limit of the bits in a group, and of the groups
constexpr std::int64_t kSubsetProductsGrain = 512;

std::vector<const std::uint64_t*> words_of(BitPlanes planes) {
  std::vector<const std::uint64_t*> words;
  for (const BitTensor& plane : planes) words.push_back(plane.words().data());
  return words;
}

std::uint64_t all_ones_if(bool first) { return first ? ~std::uint64_t{0} : 0; }

template <typename Words>
void for_words(const BitTensor& of, Workers& workers, void (*loop)(const Words&, std::int64_t, std::int64_t),
               const Words& words) {
  workers.for_ranges(std::ssize(of.words()), kSubsetProductsGrain,
                     [&](std::int64_t begin, std::int64_t end) { loop(words, begin, end); });
}

}  // namespace

void make_group_products(BitPlanes mu, std::span<BitTensor> products, Workers& workers) {
  TACIT_CHECK(!mu.empty() && mu.size() <= kMostBits);
  TACIT_CHECK(std::ssize(products) == group_products(static_cast<int>(mu.size())));
  std::vector<std::uint64_t*> out;
  for (BitTensor& product : products) out.push_back(product.words().data());
  const std::vector<const std::uint64_t*> factors = words_of(mu);
  for_words(mu.front(), workers, loops(best_instructions()).subset_products,
            {factors.data(), static_cast<int>(mu.size()), out.data()});
}

void make_carry_products(BitPlanes mu_g, BitPlanes mu_p, std::span<BitTensor> products, Workers& workers) {
  const std::size_t m = mu_g.size();
  TACIT_CHECK(m >= 1 && m <= kMostBits && mu_p.size() + 1 == m);
  TACIT_CHECK(products.size() == static_cast<std::size_t>(carry_products(static_cast<int>(m))));
  const auto of_p = products.first(static_cast<std::size_t>(group_products(static_cast<int>(m) - 1)));
  if (m > 1) make_group_products(mu_p, of_p, workers);
  // p_j is element j-1 of a set here, so the groups above k are the elements from k on.
  workers.for_ranges(std::ssize(mu_g.front().words()), kSubsetProductsGrain, [&](std::int64_t begin, std::int64_t end) {
    std::size_t next = of_p.size();
    for (std::size_t k = 0; k < m; ++k) {
      const std::uint64_t* const g = mu_g[k].words().data();
      const std::size_t sets = std::size_t{1} << (m - 1 - k);
      for (std::size_t set = 0; set < sets; ++set) {
        std::uint64_t* const out = products[next++].words().data();
        const std::size_t of_all = set << k;
        if (of_all == 0) {
          std::copy(g + begin, g + end, out + begin);
        } else {
          const std::uint64_t* const p = products[of_all - 1].words().data();
          for (std::int64_t w = begin; w < end; ++w) out[w] = g[w] & p[w];
        }
      }
    }
  });
}

GroupShares expand_group(BitPlanes same, BitPlanes dealt, bool first, Workers& workers) {
  TACIT_CHECK(!same.empty() && same.size() <= kMostBits);
  TACIT_CHECK(std::ssize(dealt) == group_products(static_cast<int>(same.size())));
  GroupShares shares{BitTensor(same.front().shape()), BitTensor(same.front().shape())};
  const std::vector<const std::uint64_t*> factors = words_of(same), products = words_of(dealt);
  for_words(same.front(), workers, loops(best_instructions()).group_shares,
            {factors.data(), products.data(), static_cast<int>(same.size()), all_ones_if(first),
             shares.generate.words().data(), shares.propagate.words().data()});
  shares.generate.clear_padding();
  shares.propagate.clear_padding();
  return shares;
}

BitTensor expand_carry(BitPlanes delta_g, BitPlanes delta_p, BitPlanes dealt, bool first, Workers& workers) {
  const std::size_t m = delta_g.size();
  TACIT_CHECK(m >= 1 && m <= kMostBits && delta_p.size() + 1 == m);
  TACIT_CHECK(dealt.size() == static_cast<std::size_t>(carry_products(static_cast<int>(m))));
  BitTensor borrow(delta_g.front().shape());
  const std::vector<const std::uint64_t*> g = words_of(delta_g), p = words_of(delta_p), products = words_of(dealt);
  for_words(borrow, workers, loops(best_instructions()).carry_share,
            {g.data(), p.data(), products.data(), static_cast<int>(m), all_ones_if(first), borrow.words().data()});
  borrow.clear_padding();
  return borrow;
}

}  // namespace tacit::mpc
