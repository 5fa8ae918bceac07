// NoisePool — discrete Gaussian noise of one rank alone, drawn ahead by a thread of its own.
//
// The time of a draw depends on the number drawn. Therefore a thread draws blocks of a fixed number of draws ahead, and
// the computing thread takes finished draws. If it must wait, it waits for whole blocks. The pool draws each sigma from
// a seed of its own: neither another rank nor the job determines the noise. Numbers are wiped when they are taken, and
// the rest in the destructor. No number is written to a disk, so no number can come twice, also after a crash.
//
// Thread: the pool starts one at the first take(). One thread at a time may call take() or add().
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "mpc/random/discrete_gaussian.h"

namespace tacit::mpc {

class NoisePool {
 public:
  static constexpr std::int64_t kBlock = 1024;  // draws

  // Makes a seed for each sigma: in a session always PairSeed::own().
  using Seeds = std::function<PairSeed()>;
  explicit NoisePool(Seeds seeds);
  ~NoisePool();
  NoisePool(const NoisePool&) = delete;
  NoisePool& operator=(const NoisePool&) = delete;

  // Keeps twice `count` draws ready, so that the next calls of take() and add() need not wait.
  void expect(std::int64_t sigma, std::int64_t count);
  // Fills `out` with draws of this sigma (1 … DiscreteGaussian::kMostSigma).
  void take(std::int64_t sigma, std::span<std::int64_t> out);
  // Adds a draw to each word, in the words' ring. No copy of the draws stays in memory.
  void add(std::int64_t sigma, RingTensor& words);

 private:
  using Block = std::vector<std::int64_t>;
  // The draws of one sigma.
  struct Stock {
    Stock(std::int64_t sigma, PairSeed seed) : gaussian(DiscreteGaussian::of_sigma(sigma)), random(std::move(seed)) {}
    ~Stock();

    const DiscreteGaussian gaussian;
    UniformWords random;  // the drawing thread's
    std::deque<Block> blocks;
    std::size_t used = 0;    // draws of the first block
    std::int64_t ahead = 1;  // blocks to keep
  };

  void run();
  Stock* short_stock();  // a stock with room for another block, or null
  // The stock of `sigma`, with room for `count` draws and as many for the next call.
  Stock& stock_for(std::int64_t sigma, std::int64_t count);

  const Seeds seeds_;
  std::mutex mutex_;  // guards everything below, except for Stock::random
  std::condition_variable wanted_, drawn_;
  std::map<std::int64_t, Stock> stocks_;  // by sigma; never erased, so the drawing thread may keep a reference
  std::exception_ptr failed_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace tacit::mpc
