#include "net/synchronise/gradient_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <type_traits>

#include "net/error.h"
#include "net/synchronise/gradient_code.h"
#include "net/synchronise/gradient_layout.h"
#include "net/synchronise/sum_agreement.h"
#include "net/thread.h"

namespace tacit::net {

namespace {

constexpr std::array kWays{SyncWay::kGatherScatter, SyncWay::kPerLayer, SyncWay::kRing,
                           SyncWay::kTwoPhase,      SyncWay::kBuckets,  SyncWay::kSecureSum};

std::string shown_way(std::int64_t value) {
  return value >= 0 && value < std::ssize(kWays) ? std::string(name(kWays[static_cast<std::size_t>(value)]))
                                                 : "unknown";
}

bool overlaps(SyncWay way) { return way == SyncWay::kBuckets || way == SyncWay::kSecureSum; }

}  // namespace

std::string_view name(SyncWay way) {
  switch (way) {
    case SyncWay::kGatherScatter:
      return "gather-scatter";
    case SyncWay::kPerLayer:
      return "per-layer";
    case SyncWay::kRing:
      return "ring";
    case SyncWay::kTwoPhase:
      return "two-phase";
    case SyncWay::kBuckets:
      return "buckets";
    case SyncWay::kSecureSum:
      return "secure-sum";
  }
  TACIT_CHECK(false);
}

SyncWay parse_sync_way(std::string_view text) {
  std::string names;
  for (const SyncWay way : kWays) {
    if (name(way) == text) return way;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name(way));
  }
  throw ConfigError(fmt::format("no way of synchronising gradients is called \"{}\": give one of {}", text, names));
}

// The words of a step go through three states: ready() fills them, the all-reduce of their piece replaces them by sums,
// mean() reads them. `full_` counts the filled pieces, `summed_` the pieces that are sums already. The words of a piece
// belong to the caller until the piece is full, then to the thread that adds it up.
class GradientSum::Impl {
 public:
  Impl(Mesh& mesh, std::vector<std::int64_t> sizes, SyncSettings settings, std::unique_ptr<Masking> masking)
      : settings_(std::move(settings)),
        sizes_(std::move(sizes)),
        layout_(sizes_, settings_, mesh.parties()),
        code_(std::int64_t{mesh.parties()} * settings_.parts, settings_.fraction_bits),
        group_(mesh, settings_.stream),
        masking_(settings_.way == SyncWay::kSecureSum ? std::move(masking) : nullptr) {
    if (settings_.way == SyncWay::kSecureSum && !masking_) {
      throw ConfigError("a secure sum without masks: give GradientSum a masking (mpc/random/pairwise_masking.h)");
    }
    const bool buckets = overlaps(settings_.way);
    compare_settings(group_,
                     std::array{ComparedNumber{"the way", static_cast<std::int64_t>(settings_.way), shown_way},
                                ComparedNumber{"the size of a bucket", buckets ? settings_.bucket_bytes : 0},
                                ComparedNumber{"the number of fraction bits", settings_.fraction_bits},
                                ComparedNumber{"the number of parts of a step", settings_.parts}},
                     sizes_, settings_.names);
    words_ = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(layout_.words()));
    begin_step();
    if (buckets && mesh.parties() > 1) {
      thread_ = start_thread("synchronises gradients", [this] { add_up_in_background(); });
    }
  }

  ~Impl() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  // Floats, or whole units.
  template <typename Number>
  void ready(std::size_t parameter, std::span<const Number> gradient) {
    require_parameter(parameter, std::ssize(gradient));
    if (finished_) begin_step();
    int& given = given_[parameter];
    if (given == settings_.parts) {
      throw ConfigError(
          fmt::format("ready() for {} came {} times in a step of {} part(s): call finish() after each step",
                      named(parameter), given + 1, settings_.parts));
    }
    const Bytes words = gradients_of(parameter);
    // An odd number of gradients leaves half a word, which all parties add up, too.
    if (given == 0) std::ranges::fill(bytes_of(parameter).subspan(words.size()), std::byte{0});
    const auto refused = given == 0 ? code_.encode(gradient, words) : code_.add(gradient, words);
    if (refused) {
      const double unit = std::is_integral_v<Number> ? std::ldexp(1.0, -settings_.fraction_bits) : 1;
      refuse(parameter, *refused, unit * static_cast<double>(gradient[*refused]));
    }
    if (++given < settings_.parts) return;
    --missing_;
    const auto [first, last] = layout_.pieces_of(parameter);
    for (std::size_t piece = first; piece < last; ++piece) --missing_in_piece_[piece];
    hand_over_full_pieces();
  }

  void finish() {
    if (finished_ || missing_ > 0) {
      const auto late =
          finished_ ? given_.begin()
                    : std::find_if(given_.begin(), given_.end(), [this](int given) { return given < settings_.parts; });
      throw ConfigError(
          fmt::format("finish() was called before ready() for {}: every parameter needs a gradient in "
                      "each step, or zeros",
                      named(static_cast<std::size_t>(late - given_.begin()))));
    }
    const Clock::time_point begin = Clock::now();
    if (thread_.joinable()) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return failed_ != nullptr || summed_ == layout_.pieces().size(); });
      if (failed_) std::rethrow_exception(failed_);
    } else {
      while (summed_ < full_) add_up(summed_++);
    }
    measure(begin, Clock::now());
    finished_ = true;
  }

  void mean(std::size_t parameter, std::span<float> out) const {
    require_parameter(parameter, std::ssize(out));
    if (!finished_) throw ConfigError("mean() of gradients was called before finish()");
    code_.mean(gradients_of(parameter), out);
  }

  SyncTimes times() const { return times_; }

 private:
  struct Interval {
    Clock::time_point begin{};
    Clock::time_point end{};
  };

  std::string named(std::size_t parameter) const { return parameter_name(parameter, settings_.names); }

  void require_parameter(std::size_t parameter, std::int64_t size) const {
    if (parameter >= sizes_.size()) {
      throw ConfigError(fmt::format("gradients of parameter {}: the sum has {}", parameter, sizes_.size()));
    }
    if (size != sizes_[parameter]) {
      throw ConfigError(fmt::format("{} gradients for {}: it has {}", size, named(parameter), sizes_[parameter]));
    }
  }

  // The other ranks read the message: the value stays here.
  [[noreturn]] void refuse(std::size_t parameter, std::size_t place, double value) const {
    throw ConfigError(
        fmt::format("a gradient of {} is not a number or is larger than {:g}, the range of {} fraction bits and {} "
                    "contributions: use a lower learning rate, clip the gradients, or use fewer fraction bits",
                    named(parameter), code_.largest(), settings_.fraction_bits, code_.contributions()),
        fmt::format("gradient {} of {} is {:g}", place, named(parameter), value));
  }

  // A word holds two gradients.
  Bytes bytes_of(std::size_t parameter) const {
    const auto [begin, count] = layout_.parameter(parameter);
    return std::as_writable_bytes(std::span(words_.get() + begin, static_cast<std::size_t>(count)));
  }
  Bytes gradients_of(std::size_t parameter) const {
    return bytes_of(parameter).first(static_cast<std::size_t>(sizes_[parameter]) * GradientCode::kBytes);
  }

  // No thread touches the words now: all pieces of the last step are sums.
  void begin_step() {
    given_.assign(sizes_.size(), 0);
    missing_ = std::ssize(sizes_);
    missing_in_piece_.assign(layout_.pieces().size(), 0);
    for (std::size_t parameter = 0; parameter < sizes_.size(); ++parameter) {
      const auto [first, last] = layout_.pieces_of(parameter);
      for (std::size_t piece = first; piece < last; ++piece) ++missing_in_piece_[piece];
    }
    const std::lock_guard lock(mutex_);
    full_ = summed_ = 0;
    under_way_.assign(layout_.pieces().size(), {});
    finished_ = false;
  }

  // Hands the full pieces to the thread in their order, which is equal at every party.
  void hand_over_full_pieces() {
    std::size_t full = full_;  // only this thread writes it
    while (full < missing_in_piece_.size() && missing_in_piece_[full] == 0) ++full;
    if (full == full_) return;
    {
      const std::lock_guard lock(mutex_);
      if (failed_) std::rethrow_exception(failed_);
      full_ = full;
    }
    changed_.notify_all();
  }

  void add_up(std::size_t piece) {
    const auto& [range, algorithm] = layout_.pieces()[piece];
    const std::span<std::uint64_t> words(words_.get() + range.begin, static_cast<std::size_t>(range.count));
    under_way_[piece].begin = Clock::now();
    if (masking_) masking_->mask(words);
    const Words tensor{words};
    all_reduce(group_, std::span(&tensor, 1), algorithm);
    under_way_[piece].end = Clock::now();
  }

  void add_up_in_background() {
    std::unique_lock lock(mutex_);
    try {
      while (true) {
        changed_.wait(lock, [this] { return ended_ || summed_ < full_; });
        if (ended_) return;
        const std::size_t piece = summed_;
        lock.unlock();
        add_up(piece);
        lock.lock();
        ++summed_;
        changed_.notify_all();
      }
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      failed_ = std::current_exception();
      changed_.notify_all();
    }
  }

  // `begin` and `end` of finish().
  void measure(Clock::time_point begin, Clock::time_point end) {
    times_ = {.waiting = end - begin};
    for (const Interval& piece : under_way_) {
      times_.communicating += piece.end - piece.begin;
      times_.hidden += std::max(std::min(piece.end, begin) - piece.begin, Clock::duration::zero());
    }
  }

  const SyncSettings settings_;
  const std::vector<std::int64_t> sizes_;
  const GradientLayout layout_;
  const GradientCode code_;
  Group group_;                       // used by the thread that adds up
  std::unique_ptr<Masking> masking_;  // used by the same thread
  std::unique_ptr<std::uint64_t[]> words_;

  // The caller's.
  std::vector<int> given_;             // contributions so far, by parameter
  std::int64_t missing_ = 0;           // parameters
  std::vector<int> missing_in_piece_;  // parameters
  bool finished_ = false;
  SyncTimes times_;

  std::mutex mutex_;  // guards everything below; the caller may read `full_` without it
  std::condition_variable changed_;
  std::size_t full_ = 0;
  std::size_t summed_ = 0;
  std::vector<Interval> under_way_;  // by piece; an entry belongs to the adding thread until its piece is a sum
  std::exception_ptr failed_;
  bool ended_ = false;
  std::thread thread_;
};

GradientSum::GradientSum(Mesh& mesh, std::vector<std::int64_t> sizes, SyncSettings settings,
                         std::unique_ptr<Masking> masking)
    : impl_(std::make_unique<Impl>(mesh, std::move(sizes), std::move(settings), std::move(masking))) {}
GradientSum::~GradientSum() = default;

void GradientSum::ready(std::size_t parameter, std::span<const float> gradient) { impl_->ready(parameter, gradient); }
void GradientSum::ready(std::size_t parameter, std::span<const std::int32_t> units) { impl_->ready(parameter, units); }
void GradientSum::finish() { impl_->finish(); }
void GradientSum::mean(std::size_t parameter, std::span<float> out) const { impl_->mean(parameter, out); }
SyncTimes GradientSum::times() const { return impl_->times(); }

}  // namespace tacit::net
