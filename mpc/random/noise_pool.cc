#include "mpc/random/noise_pool.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <utility>

#include "net/thread.h"

namespace tacit::mpc {

NoisePool::Stock::~Stock() {
  for (Block& block : blocks) sodium_memzero(block.data(), block.size() * sizeof block.front());
}

NoisePool::NoisePool(Seeds seeds) : seeds_(std::move(seeds)) {}

NoisePool::~NoisePool() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wanted_.notify_all();
  if (thread_.joinable()) thread_.join();
}

NoisePool::Stock* NoisePool::short_stock() {
  for (auto& [sigma, stock] : stocks_) {
    if (std::ssize(stock.blocks) < stock.ahead) return &stock;
  }
  return nullptr;
}

void NoisePool::run() {
  std::unique_lock lock(mutex_);
  try {
    for (;;) {
      Stock* stock = nullptr;
      wanted_.wait(lock, [&] { return ended_ || (stock = short_stock()) != nullptr; });
      if (ended_) return;
      lock.unlock();
      Block block(static_cast<std::size_t>(kBlock));
      for (std::int64_t& number : block) number = stock->gaussian.draw(stock->random);
      lock.lock();
      stock->blocks.push_back(std::move(block));
      drawn_.notify_all();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    failed_ = std::current_exception();
    drawn_.notify_all();
  }
}

NoisePool::Stock& NoisePool::stock_for(std::int64_t sigma, std::int64_t count) {
  if (!stocks_.contains(sigma)) stocks_.try_emplace(sigma, sigma, seeds_());
  Stock& stock = stocks_.at(sigma);
  stock.ahead = std::max(stock.ahead, 1 + 2 * count / kBlock);
  if (!thread_.joinable()) thread_ = net::start_thread("draws noise ahead", [this] { run(); });
  wanted_.notify_all();
  return stock;
}

void NoisePool::expect(std::int64_t sigma, std::int64_t count) {
  const std::lock_guard lock(mutex_);
  stock_for(sigma, count);
}

void NoisePool::take(std::int64_t sigma, std::span<std::int64_t> out) {
  std::unique_lock lock(mutex_);
  Stock& stock = stock_for(sigma, std::ssize(out));
  while (!out.empty()) {
    drawn_.wait(lock, [&] { return !stock.blocks.empty() || failed_ != nullptr; });
    if (failed_ != nullptr) std::rethrow_exception(failed_);
    const std::span<std::int64_t> left = std::span(stock.blocks.front()).subspan(stock.used);
    const std::span<std::int64_t> taken = left.first(std::min(left.size(), out.size()));
    std::copy(taken.begin(), taken.end(), out.begin());
    sodium_memzero(taken.data(), taken.size_bytes());
    out = out.subspan(taken.size());
    stock.used += taken.size();
    if (stock.used == stock.blocks.front().size()) {
      stock.blocks.pop_front();
      stock.used = 0;
      wanted_.notify_all();
    }
  }
}

void NoisePool::add(std::int64_t sigma, RingTensor& words) {
  std::array<std::int64_t, static_cast<std::size_t>(kBlock)> drawn;
  const std::uint64_t ring = low_bits(words.bits());
  {
    const std::lock_guard lock(mutex_);
    stock_for(sigma, words.size());
  }
  for (std::int64_t at = 0; at < words.size(); at += kBlock) {
    const auto part = std::span(drawn).first(static_cast<std::size_t>(std::min(kBlock, words.size() - at)));
    take(sigma, part);
    std::uint64_t* to = words.data() + at;
    for (std::size_t i = 0; i < part.size(); ++i) to[i] = (to[i] + static_cast<std::uint64_t>(part[i])) & ring;
  }
  sodium_memzero(drawn.data(), sizeof drawn);
}

}  // namespace tacit::mpc
