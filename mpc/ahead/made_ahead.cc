#include "mpc/ahead/made_ahead.h"

#include "net/channel.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

std::int64_t bytes_of(const MadeShares& shares) {
  std::int64_t words = 0;
  std::visit(
      [&words](const auto& tensors) {
        for (const auto& tensor : tensors) words += std::ssize(tensor.words());
      },
      shares);
  return words * std::int64_t{sizeof(std::uint64_t)};
}

}  // namespace

void MadeAhead::put(Name name, MadeShares shares) {
  const std::int64_t bytes = bytes_of(shares);
  std::unique_lock lock(mutex_);
  to_maker_.wait(lock, [&] { return ended_ || made_.empty() || bytes_ + bytes <= most_bytes_; });
  if (ended_) throw Ended();
  made_.push_back({std::move(name), std::move(shares), bytes});
  bytes_ += bytes;
  to_party_.notify_one();
}

bool MadeAhead::decision() {
  std::unique_lock lock(mutex_);
  to_maker_.wait(lock, [&] { return ended_ || !decisions_.empty(); });
  if (ended_) throw Ended();
  const bool outcome = decisions_.front();
  decisions_.pop_front();
  return outcome;
}

void MadeAhead::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  failure_ = std::move(error);
  to_party_.notify_one();
}

void MadeAhead::finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  to_party_.notify_one();
}

bool MadeAhead::has_failed() {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

MadeShares MadeAhead::take(const Name& name) {
  std::unique_lock lock(mutex_);
  if (made_.empty() && failure_ == nullptr) {
    const auto begun = net::Clock::now();
    to_party_.wait(lock, [&] { return failure_ != nullptr || finished_ || !made_.empty(); });
    waited_ += net::Clock::now() - begun;
  }
  if (made_.empty() && failure_) std::rethrow_exception(failure_);
  TACIT_CHECK(!made_.empty() && made_.front().name == name);
  MadeShares shares = std::move(made_.front().shares);
  bytes_ -= made_.front().bytes;
  made_.pop_front();
  to_maker_.notify_one();
  return shares;
}

void MadeAhead::decided(bool outcome) {
  const std::lock_guard lock(mutex_);
  decisions_.push_back(outcome);
  to_maker_.notify_one();
}

void MadeAhead::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  to_maker_.notify_one();
}

}  // namespace tacit::mpc
