#include "mpc/protocols/subset_products.h"

#include <array>
#include <bit>

namespace tacit::mpc {

namespace {

constexpr int kMostBits = 8;  // limit of the bits in a group, and of the groups
constexpr std::size_t kMostSubsets = std::size_t{1} << kMostBits;
constexpr std::int64_t kSubsetProductsGrain = 64;

using Words = std::vector<const std::uint64_t*>;

Words words_of(BitPlanes planes) {
  Words words;
  for (const BitTensor& plane : planes) words.push_back(plane.words().data());
  return words;
}

// products[set] is the product of the factors in the set; of no factors, all ones.
void tabulate(const Words& factors, std::size_t w, std::array<std::uint64_t, kMostSubsets>& products) {
  products[0] = ~std::uint64_t{0};
  const std::size_t sets = std::size_t{1} << factors.size();
  for (std::size_t set = 1; set < sets; ++set) {
    products[set] = products[set & (set - 1)] & factors[static_cast<std::size_t>(std::countr_zero(set))][w];
  }
}

template <typename Work>
void for_words(std::size_t count, Workers& workers, const Work& work) {
  workers.for_ranges(static_cast<std::int64_t>(count), kSubsetProductsGrain, [&](std::int64_t begin, std::int64_t end) {
    for (auto w = static_cast<std::size_t>(begin); w < static_cast<std::size_t>(end); ++w) work(w);
  });
}

}  // namespace

void append_group_products(BitPlanes mu, std::vector<BitTensor>& products, Workers& workers) {
  TACIT_CHECK(!mu.empty() && std::ssize(mu) <= kMostBits);
  const Shape shape = mu.front().shape();
  const std::size_t sets = std::size_t{1} << mu.size();
  std::vector<std::uint64_t*> out;
  const std::size_t begin = products.size();
  for (std::size_t set = 1; set < sets; ++set) products.emplace_back(shape);
  for (std::size_t set = 1; set < sets; ++set) out.push_back(products[begin + set - 1].words().data());
  const Words factors = words_of(mu);
  for_words(mu.front().words().size(), workers, [&](std::size_t w) {
    for (std::size_t set = 1; set < sets; ++set) {
      const std::size_t rest = set & (set - 1);
      const std::uint64_t one = factors[static_cast<std::size_t>(std::countr_zero(set))][w];
      out[set - 1][w] = rest == 0 ? one : out[rest - 1][w] & one;
    }
  });
}

void append_carry_products(BitPlanes mu_g, BitPlanes mu_p, std::vector<BitTensor>& products, Workers& workers) {
  const std::size_t m = mu_g.size();
  TACIT_CHECK(m >= 1 && m <= kMostBits && mu_p.size() + 1 == m);
  const Shape shape = mu_g.front().shape();
  const std::size_t begin = products.size();
  if (m > 1) append_group_products(mu_p, products, workers);
  // p_j is element j-1 of a set here, so the groups above k are the elements from k on.
  for (std::size_t k = 0; k < m; ++k) {
    const std::size_t sets = std::size_t{1} << (m - 1 - k);
    for (std::size_t set = 0; set < sets; ++set) {
      BitTensor& product = products.emplace_back(shape);
      const auto g = mu_g[k].words();
      const auto out = product.words();
      const std::size_t of_all = set << k;
      if (of_all == 0) {
        std::copy(g.begin(), g.end(), out.begin());
      } else {
        const auto p = products[begin + of_all - 1].words();
        for (std::size_t w = 0; w < out.size(); ++w) out[w] = g[w] & p[w];
      }
    }
  }
  TACIT_CHECK(products.size() - begin == static_cast<std::size_t>(carry_products(static_cast<int>(m))));
}

// A subset T of the mask bits, with lowest element j, appears in "c = r" with the factors same_i of
// all i outside T. In "c < r" it appears with same_j and the same_i of all i > j outside T.
GroupShares expand_group(BitPlanes same, BitPlanes dealt, bool first, Workers& workers) {
  const std::size_t size = same.size();
  const std::size_t sets = std::size_t{1} << size;
  TACIT_CHECK(size >= 1 && size <= kMostBits && dealt.size() + 1 == sets);
  GroupShares shares{BitTensor(same.front().shape()), BitTensor(same.front().shape())};
  const Words factors = words_of(same), products = words_of(dealt);
  std::uint64_t* generate = shares.generate.words().data();
  std::uint64_t* propagate = shares.propagate.words().data();
  const std::uint64_t one = first ? ~std::uint64_t{0} : 0;
  for_words(same.front().words().size(), workers, [&](std::size_t w) {
    std::array<std::uint64_t, kMostSubsets> open;
    tabulate(factors, w, open);
    std::uint64_t g = 0;
    std::uint64_t p = open[sets - 1] & one;
    for (std::size_t set = 1; set < sets; ++set) {
      const std::size_t lowest = set & (~set + 1);
      const std::size_t outside = (sets - 1) & ~set;
      const std::uint64_t product = products[set - 1][w];
      p ^= open[outside] & product;
      g ^= open[(outside & ~(lowest - 1)) | lowest] & product;
    }
    generate[w] = g;
    propagate[w] = p;
  });
  shares.generate.clear_padding();
  shares.propagate.clear_padding();
  return shares;
}

BitTensor expand_carry(BitPlanes delta_g, BitPlanes delta_p, BitPlanes dealt, bool first, Workers& workers) {
  const std::size_t m = delta_g.size();
  TACIT_CHECK(m >= 1 && m <= kMostBits && delta_p.size() + 1 == m);
  TACIT_CHECK(dealt.size() == static_cast<std::size_t>(carry_products(static_cast<int>(m))));
  BitTensor borrow(delta_g.front().shape());
  const Words g = words_of(delta_g), p = words_of(delta_p), products = words_of(dealt);
  std::uint64_t* out = borrow.words().data();
  const std::uint64_t one = first ? ~std::uint64_t{0} : 0;
  const std::size_t of_p = (std::size_t{1} << (m - 1)) - 1;
  for_words(borrow.words().size(), workers, [&](std::size_t w) {
    std::array<std::uint64_t, kMostSubsets> open;
    tabulate(p, w, open);
    std::uint64_t sum = 0;
    std::size_t next = of_p;  // the dealt products with g_k
    for (std::size_t k = 0; k < m; ++k) {
      const std::size_t sets = std::size_t{1} << (m - 1 - k);
      const std::uint64_t delta = g[k][w];
      for (std::size_t set = 0; set < sets; ++set, ++next) {
        const std::size_t inside = set << k;
        const std::size_t outside = (of_p & ~((std::size_t{1} << k) - 1)) & ~inside;
        const std::uint64_t without_g = inside == 0 ? one : products[inside - 1][w];
        sum ^= open[outside] & ((delta & without_g) ^ products[next][w]);
      }
    }
    out[w] = sum;
  });
  borrow.clear_padding();
  return borrow;
}

}  // namespace tacit::mpc
