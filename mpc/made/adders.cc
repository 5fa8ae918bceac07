#include "mpc/made/adders.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "mpc/made/party_bits.h"

namespace tacit::mpc {

namespace {

using Pairs = std::vector<std::pair<SharedBits, SharedBits>>;
using Products = std::vector<SharedBits>::const_iterator;

// A running sum of all parties' words, bit by bit.
class RippleAdder {
 public:
  RippleAdder(const Engine::Addition& addition, Engine& engine)
      : length_(addition.length),
        last_(addition.length - (addition.carries ? 0 : 1)),
        carries_(addition.carries),
        inputs_(bits_of_parties(engine, addition.words, addition.length)) {
    carry_.resize(static_cast<std::size_t>(engine.parties() - 1));
  }

  // Bits of single parties that positions in [begin, end) bind. The first sum is party 0's word.
  void inputs(int begin, int end, std::vector<Engine::Binding>& bindings) const {
    for (int j = begin; j < std::min(end, last_); ++j) {
      const std::vector<SharedBits>& of_parties = inputs_[static_cast<std::size_t>(j)];
      for (std::size_t party = j == 0 ? 1 : 0; party < of_parties.size(); ++party) {
        bindings.push_back({of_parties[party], of_parties[party].holders});
      }
    }
  }

  // Adds bit j of every word to the sum, and asks for the carries: for each party r after the first, and the sum s of the words
  // before it, r(s ^ carry) ^ s·carry.
  void begin(int j, std::vector<std::pair<SharedBits, SharedBits>>& pairs) {
    if (j >= length_) return;
    const std::vector<SharedBits> of_parties = std::move(inputs_[static_cast<std::size_t>(j)]);
    SharedBits s = of_parties.front();
    for (std::size_t t = 1; t < of_parties.size(); ++t) {
      const SharedBits& r = of_parties[t];
      const bool carried = j > 0;
      const SharedBits with_carry = carried ? exclusive_or(s, carry_[t - 1]) : s;
      if (j < last_) {
        pairs.emplace_back(r, with_carry);
        if (carried) pairs.emplace_back(s, carry_[t - 1]);
      }
      s = exclusive_or(with_carry, r);
    }
    sum_.bits.push_back(s);
  }

  // Takes the products that it asked for.
  void end(int j, std::vector<SharedBits>::const_iterator& products) {
    if (j >= last_) return;
    for (SharedBits& carry : carry_) {
      carry = *products++;
      if (j > 0) carry = exclusive_or(carry, *products++);
    }
  }

  Engine::Sum take() {
    if (carries_) sum_.carries = std::move(carry_);
    return std::move(sum_);
  }

 private:
  const int length_, last_;  // positions; positions with a carry
  const bool carries_;
  std::vector<std::vector<SharedBits>> inputs_;  // by position and party, until a position is added
  std::vector<SharedBits> carry_;                // by party after the first, into the next position
  Engine::Sum sum_;
};

// Bits by position. A bit without a value is zero.
using Number = std::vector<std::optional<SharedBits>>;

std::optional<SharedBits> exclusive_or(const std::optional<SharedBits>& a, const std::optional<SharedBits>& b) {
  if (!a) return b;
  if (!b) return a;
  return tacit::mpc::exclusive_or(*a, *b);
}

// Adds all parties' words: three numbers become two in each step, then every position finds its carry.
class PrefixAdder {
 public:
  PrefixAdder(const Engine::Addition& addition, Engine& engine)
      : length_(static_cast<std::size_t>(addition.length)),
        last_(length_ - (addition.carries ? 0 : 1)),
        keeps_carries_(addition.carries),
        numbers_(static_cast<std::size_t>(engine.parties())) {
    for (std::vector<SharedBits>& of_parties : bits_of_parties(engine, addition.words, addition.length)) {
      for (std::size_t party = 0; party < of_parties.size(); ++party) {
        numbers_[party].emplace_back(std::move(of_parties[party]));
      }
    }
  }

  // Asks for the products of the next step. False if there is none.
  bool begin(Pairs& pairs) {
    results_.clear();
    if (numbers_.size() > 2) {
      save_carries(pairs);
    } else if (numbers_.size() == 2) {
      add_two(pairs);
    } else if (numbers_.empty() && span_ < last_) {
      join(pairs);
    } else {
      return false;
    }
    return true;
  }

  // Takes these products.
  void end(Products& products) {
    for (const auto& take : results_) take(*products++);
  }

  Engine::Sum sum() {
    Engine::Sum all;
    if (numbers_.empty()) {
      for (std::size_t j = 0; j < length_; ++j) {
        all.bits.push_back(*exclusive_or(propagate_[j], j == 0 ? std::nullopt : generate_[j - 1]));
      }
      if (keeps_carries_ && generate_[length_ - 1]) carries_.push_back(*generate_[length_ - 1]);
    } else {
      for (std::optional<SharedBits>& bit : numbers_.front()) all.bits.push_back(std::move(*bit));
    }
    all.carries = std::move(carries_);
    return all;
  }

 private:
  void ask(const SharedBits& x, const SharedBits& y, Pairs& pairs, std::function<void(SharedBits)> take) {
    pairs.emplace_back(x, y);
    results_.push_back(std::move(take));
  }

  // Every three numbers become their sum without carries, and the carries one position higher.
  void save_carries(Pairs& pairs) {
    std::vector<Number> next;
    const std::size_t groups = numbers_.size() / 3;
    next.reserve(numbers_.size());  // results_ refer to its elements
    for (std::size_t group = 0; group < groups; ++group) {
      const Number &a = numbers_[3 * group], &b = numbers_[3 * group + 1], &c = numbers_[3 * group + 2];
      Number& sums = next.emplace_back(length_);
      for (std::size_t j = 0; j < length_; ++j) sums[j] = exclusive_or(exclusive_or(a[j], b[j]), c[j]);
      Number& carried = next.emplace_back(length_);
      for (std::size_t j = 0; j < last_; ++j) carry_of(a[j], b[j], c[j], j, carried, pairs);
    }
    for (std::size_t rest = 3 * groups; rest < numbers_.size(); ++rest) next.push_back(std::move(numbers_[rest]));
    numbers_ = std::move(next);
  }

  void carry_of(std::optional<SharedBits> a, std::optional<SharedBits> b, std::optional<SharedBits> c, std::size_t j,
                Number& carried, Pairs& pairs) {
    if (!a) std::swap(a, c);
    if (!b) std::swap(b, c);
    if (!a || !b) return;
    const std::size_t to = j + 1;
    ask(*exclusive_or(a, c), *exclusive_or(b, c), pairs, [this, c, to, &carried](SharedBits product) {
      SharedBits carry = *exclusive_or(product, c);
      if (to == length_) {
        carries_.push_back(std::move(carry));
      } else {
        carried[to] = std::move(carry);
      }
    });
  }

  void add_two(Pairs& pairs) {
    const std::vector<Number> both = std::exchange(numbers_, {});
    generate_.resize(length_);
    for (std::size_t j = 0; j < length_; ++j) propagate_.push_back(exclusive_or(both[0][j], both[1][j]));
    chain_ = propagate_;
    for (std::size_t j = 0; j < last_; ++j) {
      if (both[0][j] && both[1][j]) ask(*both[0][j], *both[1][j], pairs, into(generate_[j]));
    }
    span_ = 1;
  }

  // Every second group of span_ positions takes in the group below: a carry out of that group passes if all positions up to here
  // pass it on.
  void join(Pairs& pairs) {
    for (std::size_t j = 0; j < last_; ++j) {
      if ((j & span_) == 0) continue;
      const std::size_t below = (j & ~(2 * span_ - 1)) + span_ - 1;
      if (generate_[below]) ask(*generate_[below], *chain_[j], pairs, add_into(generate_[j]));
      if (j >= 2 * span_) ask(*chain_[below], *chain_[j], pairs, into(chain_[j]));
    }
    span_ *= 2;
  }

  static std::function<void(SharedBits)> into(std::optional<SharedBits>& to) {
    return [&to](SharedBits product) { to = std::move(product); };
  }
  static std::function<void(SharedBits)> add_into(std::optional<SharedBits>& to) {
    return [&to](SharedBits product) { to = exclusive_or(to, std::move(product)); };
  }

  const std::size_t length_, last_;  // positions; positions with a carry
  const bool keeps_carries_;
  std::vector<Number> numbers_;                           // their sum is wanted; empty once two have been added
  std::vector<SharedBits> carries_;                       // out of the last position
  Number propagate_, generate_, chain_;                   // of the last two; the prefixes of generate and propagate
  std::size_t span_ = 0;                                  // positions of a prefix so far
  std::vector<std::function<void(SharedBits)>> results_;  // take the products of this step
};

// The number of positions whose inputs are bound at once. With few positions, the transfers take little memory. But a call binds bits by a
// multiple of 128 transfers, so that calls for a few bits would waste most of them.
int positions_at_once(std::span<const Engine::Addition> additions) {
  constexpr std::int64_t kMostBits = std::int64_t{1} << 13;
  std::int64_t elements = 1;
  for (const Engine::Addition& addition : additions) elements += addition.words.shape.size();
  return static_cast<int>(std::clamp<std::int64_t>(kMostBits / elements, 1, kWordBits));
}

}  // namespace

std::vector<Engine::Sum> add_by_ripples(Engine& engine, std::span<const Engine::Addition> additions) {
  std::vector<RippleAdder> adders;
  int longest = 0;
  for (const Engine::Addition& addition : additions) {
    adders.emplace_back(addition, engine);
    longest = std::max(longest, addition.length);
  }
  const int at_once = positions_at_once(additions);
  for (int j = 0; j < longest; ++j) {
    // The inputs of the first positions now; of later ones in the round of the position before.
    std::vector<Engine::Binding> bindings;
    const auto bind = [&](int begin) {
      for (const RippleAdder& adder : adders) adder.inputs(begin, begin + at_once, bindings);
    };
    if (j == 0) bind(0);
    if ((j + 1) % at_once == 0) bind(j + 1);
    Pairs pairs;
    for (RippleAdder& adder : adders) adder.begin(j, pairs);
    const std::vector<SharedBits> products = engine.both(pairs, std::move(bindings));
    auto next = products.begin();
    for (RippleAdder& adder : adders) adder.end(j, next);
  }
  std::vector<Engine::Sum> sums;
  for (RippleAdder& adder : adders) sums.push_back(adder.take());
  return sums;
}

std::vector<Engine::Sum> add_by_prefixes(Engine& engine, std::span<const Engine::Addition> additions) {
  std::vector<std::unique_ptr<PrefixAdder>> adders;
  for (const Engine::Addition& addition : additions) {
    adders.push_back(std::make_unique<PrefixAdder>(addition, engine));
  }
  for (;;) {
    Pairs pairs;
    std::vector<PrefixAdder*> running;
    for (const auto& adder : adders) {
      if (adder->begin(pairs)) running.push_back(adder.get());
    }
    if (running.empty()) break;
    const std::vector<SharedBits> products = engine.both(pairs);
    auto next = products.begin();
    for (PrefixAdder* adder : running) adder->end(next);
  }
  std::vector<Engine::Sum> sums;
  for (const auto& adder : adders) sums.push_back(adder->sum());
  return sums;
}

}  // namespace tacit::mpc
