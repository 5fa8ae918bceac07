#include "mpc/made/mask_products.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "mpc/made/mask_parts.h"

namespace tacit::mpc {

namespace {

using Factors = std::vector<MaskFactor>;

int degree(const Factors& factors) {
  int sum = 0;
  for (const MaskFactor& factor : factors) sum += factor.power + (factor.sigma ? 1 : 0);
  return sum;
}

// The factor by which a product is made of another one: sigma or rho of a mask.
struct Step {
  int of = 0;
  bool sigma = false;
  Factors rest;
};

Factors without(Factors factors, std::size_t index, bool sigma) {
  MaskFactor& factor = factors[index];
  if (sigma) {
    factor.sigma = false;
  } else {
    --factor.power;
  }
  if (factor.power == 0 && !factor.sigma) factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(index));
  return factors;
}

// A sigma, which costs one product; otherwise the rho of the fewest bits.
Step last_step(const Factors& factors, const std::vector<int>& k) {
  const auto bits = [&](std::size_t i) { return k[static_cast<std::size_t>(factors[i].of)]; };
  std::size_t least = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i].sigma) return {factors[i].of, true, without(factors, i, true)};
    if (bits(i) < bits(least)) least = i;
  }
  return {factors[least].of, false, without(factors, least, false)};
}

class ProductsOfMasks {
 public:
  ProductsOfMasks(Engine& engine, const MaskProductsRequest& of) : engine_(engine), of_(of), carries_(of.k.size()) {
    for (const MaskProduct& product : of.products) {
      if (of.dealt_bits(product) > 0) need(product.factors, product.bits);
    }
    for (int d = most_; d > 1; --d) {
      for (const auto& [factors, width] : of_degree(d)) need(last_step(factors, of_.k).rest, width);
    }
  }

  std::vector<SharedWords> make() {
    add();
    make_single_factors();
    for (int d = 2; d <= most_; ++d) make_degree(d);
    std::vector<SharedWords> all;
    for (const MaskProduct& product : of_.products) {
      const int bits = of_.dealt_bits(product);
      if (bits <= 0) continue;
      const auto v = static_cast<std::size_t>(product.factors.front().of);
      all.push_back(product.is_mask() ? over_of(engine_, mask(v), of_.k[v], narrowed(*carries_[v], bits))
                                      : narrowed(made_.at(product.factors), bits));
    }
    return all;
  }

 private:
  using Bit = std::tuple<int, int, Factors>;  // a mask, one of its bits, and the product that it multiplies

  void need(const Factors& factors, int width) {
    int& widest = widths_[factors];
    widest = std::max(widest, width);
    most_ = std::max(most_, degree(factors));
  }

  std::vector<std::pair<Factors, int>> of_degree(int d) const {
    std::vector<std::pair<Factors, int>> some;
    for (const auto& one : widths_) {
      if (degree(one.first) == d) some.emplace_back(one);
    }
    return some;
  }

  // A plan may have no views.
  RingView mask(std::size_t v) const { return v < of_.r.size() ? of_.r[v] : RingView{nullptr, of_.of}; }

  // Bits of carries of a mask that its rho needs.
  int over_bits(std::size_t v) const {
    const auto rho = widths_.find({{static_cast<int>(v), 1, false}});
    return rho == widths_.end() ? 0 : rho->second - of_.k[v];
  }

  void add() {
    std::vector<bool> multiplies(of_.k.size());
    for (const auto& [factors, width] : widths_) {
      const Step step = last_step(factors, of_.k);
      if (step.sigma || !step.rest.empty()) multiplies[static_cast<std::size_t>(step.of)] = true;
    }
    std::vector<Engine::Addition> additions;
    std::vector<std::size_t> values;
    for (std::size_t v = 0; v < of_.k.size(); ++v) {
      if (!multiplies[v] && over_bits(v) <= 0) continue;
      RingView view = mask(v);
      view.shape = of_.of;
      additions.push_back({view, of_.k[v], over_bits(v) > 0});
      values.push_back(v);
    }
    sums_.resize(of_.k.size());
    std::vector<Engine::Sum> made = engine_.add(additions);
    for (std::size_t i = 0; i < made.size(); ++i) sums_[values[i]] = std::move(made[i]);
  }

  void make_single_factors() {
    std::vector<Engine::Widening> widenings;
    for (const auto& [factors, width] : of_degree(1)) {
      const auto v = static_cast<std::size_t>(factors.front().of);
      if (factors.front().sigma) widenings.push_back({sums_[v].bits.back(), width});
      for (const SharedBits& carry : sums_[v].carries) {
        if (!factors.front().sigma) widenings.push_back({carry, over_bits(v)});
      }
    }
    const std::vector<SharedWords> widened = engine_.widen(widenings);
    auto next = widened.begin();
    for (const auto& [factors, width] : of_degree(1)) {
      const auto v = static_cast<std::size_t>(factors.front().of);
      if (factors.front().sigma) {
        made_[factors] = *next++;
        continue;
      }
      const auto carries = std::ssize(sums_[v].carries);
      const int over = std::max(1, over_bits(v));
      carries_[v] = carries_of(engine_, {next, next + carries}, of_.of.size(), over);
      next += carries;
      made_[factors] = rho_of(engine_, mask(v), of_.k[v], *carries_[v], width);
    }
  }

  void make_degree(int d) {
    std::map<Bit, int> widths;
    const auto need_bit = [&](const Bit& bit, int width) { widths[bit] = std::max(widths[bit], width); };
    for (const auto& [factors, width] : of_degree(d)) {
      const Step step = last_step(factors, of_.k);
      const int top = of_.k[static_cast<std::size_t>(step.of)] - 1;
      if (step.sigma) need_bit({step.of, top, step.rest}, width);
      for (int j = 0; j <= top && j < width && !step.sigma; ++j) need_bit({step.of, j, step.rest}, width - j);
    }
    std::vector<Engine::Selection> selections;
    for (const auto& [bit, width] : widths) {
      const auto& [v, j, rest] = bit;
      const SharedBits& bits = sums_[static_cast<std::size_t>(v)].bits[static_cast<std::size_t>(j)];
      selections.push_back({bits, narrowed(made_.at(rest), width)});
    }
    const std::vector<SharedWords> products = engine_.times(selections);
    std::map<Bit, SharedWords> terms;
    auto next = products.begin();
    for (const auto& [bit, width] : widths) terms[bit] = *next++;
    for (const auto& [factors, width] : of_degree(d)) {
      const Step step = last_step(factors, of_.k);
      const int top = of_.k[static_cast<std::size_t>(step.of)] - 1;
      if (step.sigma) {
        made_[factors] = narrowed(terms.at({step.of, top, step.rest}), width);
        continue;
      }
      SharedWords total = narrowed(terms.at({step.of, 0, step.rest}), width);
      for (int j = 1; j <= top && j < width; ++j) {
        total = sum(total, shifted(narrowed(terms.at({step.of, j, step.rest}), width - j), j));
      }
      made_[factors] = std::move(total);
    }
  }

  Engine& engine_;
  const MaskProductsRequest& of_;
  int most_ = 0;                                     // factors of a product
  std::map<Factors, int> widths_;                    // of every product that is made
  std::vector<Engine::Sum> sums_;                    // by mask
  std::vector<std::optional<SharedWords>> carries_;  // by mask, if rho is made
  std::map<Factors, SharedWords> made_;
};

}  // namespace

std::vector<SharedWords> made(Engine& engine, const MaskProductsRequest& request) {
  return ProductsOfMasks(engine, request).make();
}

}  // namespace tacit::mpc
