#include "mpc/made/bit_products.h"

#include <bit>
#include <utility>

namespace tacit::mpc {

namespace {

// The products of some bits with every subset of factors: by the number of the first factor and the subset's bit mask. A subset takes
// factors from that number on. The empty subset stands for the bits themselves.
class SubsetProducts {
 public:
  using Subset = std::uint64_t;

  // `first`: null for the products of the factors alone.
  SubsetProducts(std::vector<SharedBits> factors, const SharedBits* first) : factors_(std::move(factors)) {
    made_.resize(std::size_t{1} << factors_.size());
    if (first != nullptr) {
      made_[0] = *first;
      alone_ = false;
    } else {
      for (std::size_t f = 0; f < factors_.size(); ++f) made_[std::size_t{1} << f] = factors_[f];
    }
  }

  // The products of subsets of this size, from those of one factor fewer.
  void ask(int size, std::vector<std::pair<SharedBits, SharedBits>>& pairs) {
    for_each(size, [&](Subset subset) {
      pairs.emplace_back(factors_[static_cast<std::size_t>(std::countr_zero(subset))], made_[subset & (subset - 1)]);
    });
  }
  void take(int size, std::vector<SharedBits>::const_iterator& products) {
    for_each(size, [&](Subset subset) { made_[subset] = *products++; });
  }

  int factors() const { return static_cast<int>(factors_.size()); }
  // By bit mask; without the empty subset if it stands for nothing.
  void append_to(std::vector<SharedBits>& all) const {
    all.insert(all.end(), made_.begin() + (alone_ ? 1 : 0), made_.end());
  }

 private:
  template <typename Use>
  void for_each(int size, const Use& use) {
    if (alone_ && size < 2) return;
    for (Subset subset = 1; subset < made_.size(); ++subset) {
      if (std::popcount(subset) == size) use(subset);
    }
  }

  std::vector<SharedBits> factors_;
  std::vector<SharedBits> made_;
  bool alone_ = true;
};

void make_all(Engine& engine, std::span<SubsetProducts> products) {
  int largest = 0;
  for (const SubsetProducts& one : products) largest = std::max(largest, one.factors());
  for (int size = 1; size <= largest; ++size) {
    std::vector<std::pair<SharedBits, SharedBits>> pairs;
    for (SubsetProducts& one : products) one.ask(size, pairs);
    const std::vector<SharedBits> made = engine.both(pairs);
    auto next = made.begin();
    for (SubsetProducts& one : products) one.take(size, next);
  }
}

}  // namespace

std::vector<SharedBits> made(Engine& engine, const GroupProductsRequest& request) {
  const Engine::Addition addition{request.r, request.hi, false};
  const std::vector<SharedBits> bits = std::move(engine.add(std::span(&addition, 1)).front().bits);
  std::vector<SubsetProducts> groups;
  auto next = bits.begin() + request.low;
  for (const int size : request.groups) {
    groups.emplace_back(std::vector<SharedBits>(next, next + size), nullptr);
    next += size;
  }
  TACIT_CHECK(next + 1 == bits.end());
  make_all(engine, groups);
  std::vector<SharedBits> made;
  for (const SubsetProducts& group : groups) group.append_to(made);
  made.push_back(bits.back());
  TACIT_CHECK(std::ssize(made) == request.count);
  return made;
}

std::vector<SharedBits> made(Engine& engine, const CarryProductsRequest& request) {
  std::vector<SharedBits> propagate;
  for (const BitTensor& mask : request.propagate) propagate.push_back(engine.shared(mask));
  std::vector<SubsetProducts> products;
  products.emplace_back(propagate, nullptr);
  for (std::size_t k = 0; k < request.generate.size(); ++k) {
    const SharedBits generate = engine.shared(request.generate[k]);
    products.emplace_back(std::vector<SharedBits>(propagate.begin() + static_cast<std::ptrdiff_t>(k), propagate.end()),
                          &generate);
  }
  make_all(engine, products);
  std::vector<SharedBits> made;
  for (const SubsetProducts& one : products) one.append_to(made);
  TACIT_CHECK(std::ssize(made) == request.count);
  return made;
}

}  // namespace tacit::mpc
