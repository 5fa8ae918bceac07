// Engine — computes functions of the parties' masks among the parties themselves: bits shared modulo 2, words shared modulo 2^k,
// and the steps from one to the other. The correlations of correlations/correlations.h are made of these steps.
//
// Each step takes a list; all entries of a list share its rounds. Every party calls the same steps with the same public
// arguments. On a plan (PairNetwork), contents are empty and only the traffic is counted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mpc/ot/bit_times_word.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// Bits whose sum modulo 2 over the holders is the value. Cheap to copy.
struct SharedBits {
  std::int64_t size = 0;
  Holders holders;
  std::shared_ptr<const BitTensor> own;  // one row; null unless this party is a holder
  // Set by Engine::bind, and shared by copies.
  std::shared_ptr<std::shared_ptr<BitTimesWord::Bound>> bound;
};

// Words whose sum mod 2^width over the holders is the value: rows · columns, row after row; two words each, the low one first, if
// width > 64.
struct SharedWords {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  int width = 64;
  Holders holders;
  std::shared_ptr<const std::vector<std::uint64_t>> own;
};

class Engine {
 public:
  Engine(PairNetwork& network, BitTimesWord& products, Workers& workers);

  // x AND y for each pair. Binds x, if it is not bound yet.
  std::vector<SharedBits> both(std::span<const std::pair<SharedBits, SharedBits>> pairs);

  // The low `length` bits of the sum of all parties' words, and, if `carries`, the n-1 carries into bit `length`.
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

  // Each bit as a word of Z_2^width.
  struct Widening {
    SharedBits bits;
    int width = 0;
  };
  std::vector<SharedWords> widen(std::span<const Widening> widenings);

  // Each bit times its row of words, in the words' ring.
  struct Selection {
    SharedBits bits;
    SharedWords words;
  };
  std::vector<SharedWords> times(std::span<const Selection> selections);

  // The products element by element; x has one column, which multiplies every column of y. In the narrower ring.
  struct Product {
    SharedWords x, y;
  };
  std::vector<SharedWords> products(std::span<const Product> products);

  // words · 1{v = the number that the bits make, the highest first}, for v = 0 … 2^h - 1: a row has all columns for v = 0, then for
  // v = 1, ….
  struct Choice {
    std::vector<SharedBits> bits;
    SharedWords words;
  };
  std::vector<SharedWords> unary(std::span<const Choice> choices);

 private:
  PairNetwork& network_;
  BitTimesWord& products_;
  Workers& workers_;
};

}  // namespace tacit::mpc
