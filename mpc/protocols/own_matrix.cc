#include "mpc/protocols/own_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "mpc/kernels/elementwise.h"
#include "mpc/kernels/row_moves.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/own_matrix_sum.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"
#include "net/collectives/collectives.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kMaps = 3;  // place, arrange, take
using PerMap = std::array<Permutation, kMaps>;

}  // namespace

struct OwnMatrix::Maps {
  std::int64_t rows = 0;               // N
  PerMap sigma;                        // at parties
  PerMap rho;                          // at the dealer, and at the owner for a source without a dealer
  PerMap pi;                           // at the owner
  std::vector<std::uint64_t> numbers;  // of the second list's rows, at the owner
  Masked masked_numbers;
  SparseMatrix plain;  // in the clear session
};

namespace {

// The owner's lists.
struct Lists {
  PerMap pi;
  std::vector<std::uint64_t> numbers;
};

// Gives all rows without a place the places that are left, in order.
void fill_up(Permutation& places) {
  std::vector<bool> taken(places.size());
  for (const std::int32_t place : places) {
    if (place >= 0) taken[static_cast<std::size_t>(place)] = true;
  }
  std::size_t next = 0;
  for (std::int32_t& place : places) {
    if (place >= 0) continue;
    while (taken[next]) ++next;
    place = static_cast<std::int32_t>(next++);
  }
}

Lists lists_of(const SparseMatrix& m, std::int64_t most_entries, std::int64_t count) {
  check(m);
  const auto size = static_cast<std::size_t>(count);
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  Lists lists;
  for (Permutation& pi : lists.pi) pi.assign(size, -1);
  lists.numbers.assign(size, 0);
  // An entry of the diagonal needs no row of its own: the row of its column becomes the row of its row.
  std::vector<std::int32_t> of_column(at(m.shape.cols));
  std::int64_t entries = 0;
  for (std::int64_t r = 0; r < m.shape.rows; ++r) {
    for (std::int64_t e = m.row_begin[at(r)]; e < m.row_begin[at(r + 1)]; ++e) {
      if (m.cols[at(e)] == r) continue;
      ++of_column[at(m.cols[at(e)])];
      ++entries;
    }
  }
  TACIT_CHECK(entries <= most_entries);
  std::vector<std::int32_t> next(at(m.shape.cols));  // the next row of the first list for an entry of the column
  Permutation& place = lists.pi[0];
  std::int32_t begin = 0;
  for (std::int64_t c = 0; c < m.shape.cols; ++c) {
    place[at(c)] = begin;
    next[at(c)] = begin + 1;
    begin += 1 + of_column[at(c)];
  }
  Permutation& arrange = lists.pi[1];
  Permutation& take = lists.pi[2];
  std::int32_t row = 0;
  for (std::int64_t r = 0; r < m.shape.rows; ++r) {
    std::uint64_t diagonal = 0;
    for (std::int64_t e = m.row_begin[at(r)]; e < m.row_begin[at(r + 1)]; ++e) {
      if (m.cols[at(e)] == r) {
        diagonal = m.values[at(e)];
        continue;
      }
      arrange[at(next[at(m.cols[at(e)])]++)] = row;
      lists.numbers[at(row++)] = m.values[at(e)];
    }
    if (r < m.shape.cols) arrange[at(place[at(r)])] = row;
    lists.numbers[at(row)] = diagonal;
    take[at(row++)] = static_cast<std::int32_t>(r);
  }
  for (Permutation& pi : lists.pi) fill_up(pi);
  return lists;
}

RingTensor as_words(const PerMap& orders, int bits) {
  const std::int64_t count = std::ssize(orders.front());
  RingTensor words({count * std::int64_t{kMaps}, 1}, bits);
  std::uint64_t* to = words.data();
  for (const Permutation& order : orders) to = std::copy(order.begin(), order.end(), to);
  return words;
}

}  // namespace

// Draws rho, and tells sigma.
class OwnMatrixMaker final : public OperationOf<OwnMatrix> {
 public:
  OwnMatrixMaker(OwnMatrix made, OwnMatrix::Maps& maps, const SparseMatrix* mine)
      : made_(std::move(made)), maps_(maps), mine_(mine) {}
  std::string_view name() const override { return "own matrix"; }
  Cost cost(const CostSetting& setting) const override;
  OwnMatrix at(Party& party) override;
  OwnMatrix at(Dealer& dealer) override;
  OwnMatrix at(Clear&) override;
  OwnMatrix at(Planner&) override { return made_; }

  static OwnMatrix make(Session& session, int owner, Shape shape, std::int64_t most_entries, int fraction_bits,
                        const SparseMatrix* mine);

 private:
  // Of a number of a row.
  int bits() const { return std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(maps_.rows)))); }

  OwnMatrix made_;
  OwnMatrix::Maps& maps_;
  const SparseMatrix* mine_;
};

Cost OwnMatrixMaker::cost(const CostSetting& setting) const {
  const net::WordShape told{maps_.rows * std::int64_t{kMaps}, bits()};
  const net::Cost cost = net::broadcast_cost(std::span(&told, 1), setting.parties, made_.owner_, setting.rank);
  return {.rounds = cost.rounds, .bytes = cost.bytes, .messages = cost.messages};
}

OwnMatrix OwnMatrixMaker::at(Party& party) {
  const int owner = made_.owner_;
  for (Permutation& rho : maps_.rho) rho = party.correlations().order(owner, maps_.rows);
  RingTensor told({maps_.rows * std::int64_t{kMaps}, 1}, bits());
  if (party.rank() == owner) {
    TACIT_CHECK(mine_ != nullptr);
    Lists lists = lists_of(*mine_, made_.most_entries_, maps_.rows);
    for (std::size_t m = 0; m < kMaps; ++m) {
      const Permutation back = inverse(maps_.rho[m]);
      for (const std::int32_t place : lists.pi[m]) maps_.sigma[m].push_back(back[static_cast<std::size_t>(place)]);
    }
    told = as_words(maps_.sigma, bits());
    maps_.pi = std::move(lists.pi);
    maps_.numbers = std::move(lists.numbers);
  }
  party.tell_all(owner, told);
  const std::uint64_t* word = told.data();
  for (Permutation& sigma : maps_.sigma) {
    if (party.rank() == owner) break;
    for (std::int64_t i = 0; i < maps_.rows; ++i) {
      sigma.push_back(static_cast<std::int32_t>(std::min<std::uint64_t>(*word++, kMostPermuted)));
    }
    if (!is_permutation(sigma)) {
      throw ProtocolError(
          fmt::format("{} told an order of rows in which a row is missing: it does not run the same program",
                      party.mesh().describe(owner)),
          owner);
    }
  }
  return made_;
}

OwnMatrix OwnMatrixMaker::at(Dealer& dealer) {
  for (Permutation& rho : maps_.rho) rho = dealer.order(made_.owner_, maps_.rows);
  return made_;
}

OwnMatrix OwnMatrixMaker::at(Clear&) {
  TACIT_CHECK(mine_ != nullptr);
  maps_.plain = *mine_;
  maps_.numbers = lists_of(*mine_, made_.most_entries_, maps_.rows).numbers;
  return made_;
}

OwnMatrix OwnMatrixMaker::make(Session& session, int owner, Shape shape, std::int64_t most_entries, int fraction_bits,
                               const SparseMatrix* mine) {
  OwnMatrix matrix(shape, owner, fraction_bits, most_entries);
  const auto maps = std::make_shared<OwnMatrix::Maps>();
  maps->rows = std::max(matrix.shape_.rows, matrix.shape_.cols) + matrix.most_entries_;
  TACIT_CHECK(maps->rows < kMostPermuted);
  session.run(OwnMatrixMaker(matrix, *maps, mine));
  const Shape column{maps->rows, 1};
  Matrix numbers(std::ssize(maps->numbers), 1);
  for (std::int64_t i = 0; i < numbers.rows(); ++i) {
    const auto units = static_cast<std::int64_t>(maps->numbers[static_cast<std::size_t>(i)]);
    numbers(i, 0) = std::ldexp(static_cast<double>(units), -matrix.fraction_bits_);
  }
  const Matrix* own = numbers.rows() == column.rows ? &numbers : nullptr;
  maps->masked_numbers =
      mask(session, input(session, matrix.owner_, column, {kWordBits, matrix.fraction_bits_}, own, "an own matrix"));
  matrix.maps_ = maps;
  return matrix;
}

namespace {

// Each tensor becomes the sum of all parties' tensors at the owner in whose list it is, all in one round.
void add_up_at_owners(Party& party, std::span<std::vector<RingTensor>> by_owner) {
  std::vector<std::vector<net::Words>> words(by_owner.size());
  for (std::size_t owner = 0; owner < by_owner.size(); ++owner) {
    for (RingTensor& tensor : by_owner[owner]) words[owner].push_back({tensor.words(), tensor.bits()});
  }
  net::reduce_scatter(party.group(), std::vector<net::Tensors>(words.begin(), words.end()));
}

}  // namespace

// Products of matrices of different owners by one share, added up.
class OwnMatrixProduct final : public OperationOf<Share> {
 public:
  OwnMatrixProduct(std::span<const OwnMatrix> matrices, const Share& x) : matrices_(matrices), x_(x) {}
  std::string_view name() const override { return "own matrix product"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override;

 private:
  Shape shape() const { return {matrices_.front().shape().rows, x_.shape().cols}; }
  Format format() const { return {x_.ring_bits(), x_.fraction_bits() + matrices_.front().fraction_bits()}; }
  Shape list(const OwnMatrix& m) const { return {m.maps_->rows, x_.shape().cols}; }
  RingTensor list_of_words(const OwnMatrix& m) const { return {list(m), x_.ring_bits()}; }

  RouteRequest request(const OwnMatrix& m, std::size_t map, RingView lambda, RingView kappa) const;
  RouteRequest request(const OwnMatrix& m, std::size_t map, RingView lambda) const {
    return request(m, map, lambda, Inside::mask(m.maps_->masked_numbers));
  }
  // This party's masks of a map, and its shares of what is dealt for it: of G, and perhaps of kappa·G.
  struct Masks {
    RingTensor lambda;
    std::vector<RingTensor> dealt;
  };
  std::vector<Masks> masks_of(Party& party, const OwnMatrix& m) const;
  // This party's share of a product, from its share of the differences of x. The messages, one for each map, are made here for another
  // owner; at the owner itself they came from the others.
  RingTensor routed(Party& party, const OwnMatrix& m, RingTensor rows, std::vector<Masks> masks,
                    std::span<RingTensor> messages) const;
  // The new share, from the sum of all parties' messages at the owner.
  RingTensor placed(Party& party, const OwnMatrix& m, std::size_t map, const RingTensor& sum, Masks masks) const;

  const std::span<const OwnMatrix> matrices_;
  const Share& x_;
};

Cost OwnMatrixProduct::cost(const CostSetting& setting) const {
  std::vector<std::vector<net::WordShape>> told(static_cast<std::size_t>(setting.parties));
  Cost correlations;
  for (const OwnMatrix& m : matrices_) {
    const net::WordShape row = word_shape(list(m), x_.ring_bits());
    // A plan may have fewer parties than the job has owners. Then a party stands for several owners.
    const int owner = m.owner() % setting.parties;
    std::vector<net::WordShape>& to = told[static_cast<std::size_t>(owner)];
    to.insert(to.end(), kMaps, row);
    for (std::size_t map = 0; map < kMaps; ++map) {
      RouteRequest route = request(m, map, without_contents(list(m)), without_contents({m.maps_->rows, 1}));
      route.owner = owner;
      correlations += correlation_cost(route, setting);
    }
  }
  const std::vector<std::span<const net::WordShape>> by_party(told.begin(), told.end());
  const net::Cost cost = net::reduce_scatter_cost(by_party, setting.rank);
  return Cost{.rounds = cost.rounds, .bytes = cost.bytes, .messages = cost.messages} + correlations;
}

RouteRequest OwnMatrixProduct::request(const OwnMatrix& m, std::size_t map, RingView lambda, RingView kappa) const {
  const Permutation& rho = m.maps_->rho[map];
  const bool arranges = map == 1, takes = map == 2;
  RouteRequest made{.lambda = lambda,
                    .owner = m.owner(),
                    .order = rho.empty() ? nullptr : &rho,
                    .outputs = takes ? shape().rows : m.maps_->rows,
                    .kappa = {},
                    .with_kappa = arranges,
                    .bits = x_.ring_bits()};
  if (arranges) made.kappa = kappa;
  return made;
}

RingTensor OwnMatrixProduct::placed(Party& party, const OwnMatrix& m, std::size_t map, const RingTensor& sum,
                                    Masks masks) const {
  Workers& workers = party.workers();
  const OwnMatrix::Maps& maps = *m.maps_;
  RingTensor& g = masks.dealt.front();
  if (map == 1) scale_rows(g, Inside::revealed(maps.masked_numbers), g, workers);
  RingTensor next(g.shape(), g.bits());
  if (party.rank() == m.owner()) {
    place_rows(sum, maps.pi[map], next, workers);
    if (map == 1) scale_rows(next, {maps.numbers.data(), {maps.rows, 1}, 1, 1}, next, workers);
    subtract(next, g, next, workers);
  } else {
    negate(g, next, workers);
  }
  if (map == 1) add(next, masks.dealt.back(), next, workers);
  return next;
}

std::vector<OwnMatrixProduct::Masks> OwnMatrixProduct::masks_of(Party& party, const OwnMatrix& m) const {
  std::vector<Masks> masks(kMaps);
  for (std::size_t map = 0; map < kMaps; ++map) {
    masks[map].lambda = party.correlations().mask({list(m), x_.ring_bits()});
    masks[map].dealt = party.correlations().words(request(m, map, masks[map].lambda.view()));
  }
  return masks;
}

RingTensor OwnMatrixProduct::routed(Party& party, const OwnMatrix& m, RingTensor rows, std::vector<Masks> masks,
                                    std::span<RingTensor> messages) const {
  const bool owner = party.rank() == m.owner();
  Workers& workers = party.workers();
  for (std::size_t map = 0; map < kMaps; ++map) {
    RingTensor own = owner ? list_of_words(m) : RingTensor();
    RingTensor& message = owner ? own : messages[map];
    add_rows(rows, masks[map].lambda, m.maps_->sigma[map], message, workers);
    if (owner) add(message, messages[map], message, workers);
    rows = placed(party, m, map, message, std::move(masks[map]));
    if (map + 1 < kMaps) sum_up(rows, workers);
  }
  take_differences(rows, workers);
  return rows;
}

// The parties ask for all correlations before they send: a source without a dealer may need all of them for that. A party makes
// its messages to all other owners, then receives those to itself, all in one round.
Share OwnMatrixProduct::at(Party& party) {
  Workers& workers = party.workers();
  RingTensor differences(x_.shape(), x_.ring_bits());
  std::copy_n(Inside::words(x_).data(), differences.size(), differences.data());
  take_differences(differences, workers);
  std::vector<std::vector<RingTensor>> messages(static_cast<std::size_t>(party.parties()));
  RingTensor sum = RingTensor::zeros(shape(), x_.ring_bits());
  const OwnMatrix* mine = nullptr;
  std::vector<Masks> masks_of_mine;
  for (const OwnMatrix& m : matrices_) {
    const bool owner = party.rank() == m.owner();
    std::vector<RingTensor>& of_owner = messages[static_cast<std::size_t>(m.owner())];
    for (std::size_t map = 0; map < kMaps; ++map) {
      of_owner.push_back(owner ? RingTensor::zeros(list(m), x_.ring_bits()) : list_of_words(m));
    }
    std::vector<Masks> masks = masks_of(party, m);
    if (owner) {
      mine = &m;
      masks_of_mine = std::move(masks);
    } else {
      add(sum, routed(party, m, differences, std::move(masks), of_owner), sum, workers);
    }
  }
  add_up_at_owners(party, messages);
  if (mine != nullptr) {
    std::vector<RingTensor>& received = messages[static_cast<std::size_t>(party.rank())];
    add(sum, routed(party, *mine, std::move(differences), std::move(masks_of_mine), received), sum, workers);
  }
  return Inside::share(shape(), format(), std::move(sum));
}

Share OwnMatrixProduct::at(Dealer& dealer) {
  for (const OwnMatrix& m : matrices_) {
    for (std::size_t map = 0; map < kMaps; ++map) {
      const RingTensor lambda = dealer.mask(list(m), x_.ring_bits());
      dealer.deal(request(m, map, lambda.view()));
    }
  }
  return Inside::nothing(shape(), format());
}

Share OwnMatrixProduct::at(Clear& clear) {
  RingTensor sum = RingTensor::zeros(shape(), x_.ring_bits());
  for (const OwnMatrix& m : matrices_) {
    RingTensor out(shape(), x_.ring_bits());
    mpc::matmul(m.maps_->plain, Inside::words(x_), out, clear.workers());
    add(sum, out, sum, clear.workers());
  }
  return Inside::share(shape(), format(), std::move(sum));
}

Share OwnMatrixProduct::at(Planner& planner) {
  // The owner of the longest list needs most memory: masks, dealt words, messages, and one map at work. For the other owners' lists it
  // keeps messages alone.
  constexpr std::int64_t kLists = 12;
  std::int64_t longest = 0, all = 0;
  for (const OwnMatrix& m : matrices_) {
    longest = std::max(longest, list(m).size());
    all += list(m).size();
  }
  planner.made_passing(kLists * longest + static_cast<std::int64_t>(kMaps) * (all - longest));
  return planner.made(shape(), format());
}

OwnMatrix own_matrix(Session& session, int owner, Shape shape, std::int64_t most_entries, int fraction_bits,
                     const SparseMatrix* mine) {
  TACIT_CHECK(owner >= 0 && owner < session.parties() && most_entries >= 0);
  TACIT_CHECK(mine == nullptr || (mine->shape == shape && mine->fraction_bits == fraction_bits));
  return OwnMatrixMaker::make(session, owner, shape, most_entries, fraction_bits, mine);
}

Share matmul(Session& session, const OwnMatrix& m, const Share& x) {
  return sum_of_products(session, std::span(&m, 1), x);
}

Share sum_of_products(Session& session, std::span<const OwnMatrix> matrices, const Share& x) {
  TACIT_CHECK(!matrices.empty());
  std::vector<bool> owns(static_cast<std::size_t>(session.parties()));
  for (const OwnMatrix& m : matrices) {
    TACIT_CHECK(m.shape() == matrices.front().shape() && m.shape().cols == x.shape().rows);
    TACIT_CHECK(m.fraction_bits() == matrices.front().fraction_bits());
    TACIT_CHECK(!owns[static_cast<std::size_t>(m.owner())]);
    owns[static_cast<std::size_t>(m.owner())] = true;
  }
  return session.run(OwnMatrixProduct(matrices, x));
}

}  // namespace tacit::mpc
