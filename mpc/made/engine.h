// Engine — computes functions of the parties' masks among the parties themselves: bits shared modulo 2, words shared modulo 2^k,
// and the steps from one to the other. The correlations of correlations/correlations.h are made of these steps.
//
// Each step takes a list; all entries of a list share its rounds. Every party calls the same steps with the same public
// arguments. On a plan (PairNetwork), contents are empty and only the traffic is counted. Steps that one party takes alone are in
// made/shared.h. Thread: one.
//
// Costs are in bits of an element that a pair of parties sends, both directions together, for n = 2. To bind a bit costs 32 bits
// in one direction, once, or with Ferret 1.75 bits (BitTimesWord::bind). With Ferret, the round of their first products binds bits. With
// SoftSpoken, this takes a round before, which is not in the rounds here.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mpc/correlations/correlations.h"
#include "mpc/kernels/workers.h"
#include "mpc/made/shared.h"
#include "mpc/ot/bit_times_word.h"
#include "mpc/ot/pair_network.h"

namespace tacit::mpc {

class Engine {
 public:
  // All must outlive it. Correlations that are made ahead share their rounds with many others, so they are made with the fewest bytes.
  Engine(PairNetwork& network, BitTimesWord& products, Workers& workers, CorrelationsFrom from)
      : network_(network), products_(products), workers_(workers), from_(from) {}

  int rank() const { return network_.rank(); }
  int parties() const { return network_.parties(); }
  bool planned() const { return network_.planned(); }
  Workers& workers() { return workers_; }
  PairNetwork& network() { return network_; }
  BitTimesWord& bit_times_word() { return products_; }

  // Shared by all parties: this party's words mod 2^width (<= 64), in row-major order, in rows of `columns`; this party's bits.
  // Without contents on a plan, where only the shape is read.
  SharedWords shared(RingView own, std::int64_t columns, int width) const;
  SharedBits shared(const BitTensor& own) const;
  // Words that party 0 alone holds, each of this public value.
  SharedWords constant(DoubleWord value, std::int64_t rows, std::int64_t columns, int width) const;

  // Binds bits of these holders, unless they are bound: for several steps at once, whose first use would bind them one after the
  // other. 1 round, or none.
  struct Binding {
    SharedBits bits;
    Holders holders;
  };
  void bind(std::span<const Binding> bindings);
  // The steps below bind the bits that they need. `also`: these bits, too, in the same round.

  // x AND y for each pair. Binds x. 2 bits, 1 round.
  std::vector<SharedBits> both(std::span<const std::pair<SharedBits, SharedBits>> pairs,
                               std::vector<Binding> also = {});

  // The low `length` bits of the sum of all parties' words, in row-major order, low to high; and, if `carries`, at most n-1 carries into
  // bit `length`, each held by some of the parties. Rounds and bits: adders.h.
  struct Sum {
    std::vector<SharedBits> bits;
    std::vector<SharedBits> carries;
  };
  struct Addition {
    RingView words;  // this party's
    int length = 0;
    bool carries = false;
  };
  std::vector<Sum> add(std::span<const Addition> additions);

  // Each bit as a word of Z_2^width, 1 column. Binds all holders but the first. width-1 bits, n-1 rounds.
  struct Widening {
    SharedBits bits;
    int width = 0;  // 1 … 128
  };
  std::vector<SharedWords> widen(std::span<const Widening> widenings, std::vector<Binding> also = {});
  static Binding bound_to_widen(const Widening& widening);

  // Each bit times its row of words, in the words' ring. Binds all holders. 2·width bits a column, a round for each holder of bits.
  struct Selection {
    SharedBits bits;
    SharedWords words;
  };
  std::vector<SharedWords> times(std::span<const Selection> selections, std::vector<Binding> also = {});

  // The products element by element; x has one column, which multiplies every column of y. In the narrower ring, of k <= 64 bits.
  // k(k+1) bits a column, and k bits bound in each direction; 1 round. Products made ahead with many rows take a round for
  // some of the k bits at a time, since the transfers of all would take more memory.
  struct Product {
    SharedWords x, y;
  };
  std::vector<SharedWords> products(std::span<const Product> products);

  // words · 1{v = the number that the bits make, the highest first}, for v = 0 … 2^h - 1: a row has all columns for v = 0, then for
  // v = 1, …. 2·width·(2^h - 1) bits a column, h rounds for each holder of bits.
  struct Choice {
    std::vector<SharedBits> bits;
    SharedWords words;
  };
  std::vector<SharedWords> unary(std::span<const Choice> choices);

 private:
  // Bits that are not bound yet, each once. The next round binds them.
  using Unbound = std::vector<std::shared_ptr<BitTimesWord::Bound>>;
  Unbound unbound(std::span<const Binding> bindings);
  void add_planes(std::span<const Product> products, std::span<std::vector<SharedBits>> planes, std::size_t begin,
                  std::size_t end, std::span<SharedWords> sums);

  PairNetwork& network_;
  BitTimesWord& products_;
  Workers& workers_;
  const CorrelationsFrom from_;
};

}  // namespace tacit::mpc
