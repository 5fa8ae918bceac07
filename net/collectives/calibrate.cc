#include "net/collectives/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::net {

namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kSizes[] = {1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20};
// A run consists of several consecutive calls, and must be long enough for the clock. If latency
// dominates, a run needs more than one call, since parties leave a barrier up to a latency apart.
constexpr nanoseconds kShortestRun = std::chrono::milliseconds(2);
constexpr std::int64_t kMostCalls = 64;
constexpr nanoseconds kShort = std::chrono::milliseconds(20);
constexpr std::int64_t kCallsOfShortOnes = 3;
constexpr int kRuns = 5;

// An algorithm is not tried on large tensors if its prediction exceeds the best one by this factor.
constexpr double kHopeless = 2;
constexpr std::int64_t kLarge = 256 << 10;

double seconds(nanoseconds t) { return std::chrono::duration<double>(t).count(); }

// All decisions depend on times that all parties know (the slowest party's), so that all parties
// decide alike.
class Experiment {
 public:
  Experiment(Group& group, const CalibrationOptions& options) : group_(group), options_(options) {
    words_.resize(static_cast<std::size_t>(kSizes[std::size(kSizes) - 1]) / sizeof(std::uint64_t));
  }

  AllReduceModel run() {
    for (std::size_t i = 0; i < std::size(kSizes); ++i) {
      std::vector<AllReduce> tried;
      for (const AllReduce algorithm : kAllReduceAlgorithms) {
        if (worth_trying(algorithm, kSizes[i])) tried.push_back(algorithm);
      }
      const double share = static_cast<double>(i + 1) / static_cast<double>(std::size(kSizes));
      measure(tried, kSizes[i], share);
    }
    return model_;
  }

  nanoseconds spent() const { return spent_; }

 private:
  bool worth_trying(AllReduce algorithm, std::int64_t bytes) const {
    if (bytes == kSizes[0]) return true;
    if (bytes > options_.most_bytes) return false;
    const double expected = seconds(*model_.predict(algorithm, bytes));
    if (bytes >= kLarge && expected > kHopeless * seconds(model_.predict_best(bytes))) return false;
    return seconds(spent_) + expected <= budget();
  }

  double budget() const {
    return std::max(seconds(options_.budget), options_.rounds * seconds(model_.predict_best(kSizes[0])));
  }

  // Runs the algorithms in turn while the time spent is below this share of the budget. The lower
  // median counts: this excludes the first run, which warms up. The median shows the usual time, and
  // not the best possible one, since other load on the machine slows some algorithms more than
  // others.
  void measure(const std::vector<AllReduce>& tried, std::int64_t bytes, double share) {
    std::map<AllReduce, std::vector<nanoseconds>> runs;
    for (int run = 0; run < kRuns; ++run) {
      for (const AllReduce algorithm : tried) {
        const nanoseconds usual = run == 0 ? nanoseconds::max() : *model_.predict(algorithm, bytes);
        std::vector<nanoseconds>& times = runs[algorithm];
        times.push_back(time_of(algorithm, bytes, calls_in_a_run(usual)));
        std::sort(times.begin(), times.end());
        model_.add(algorithm, bytes, times[(times.size() - 1) / 2]);
      }
      if (seconds(spent_) > share * budget()) return;
    }
  }

  static std::int64_t calls_in_a_run(nanoseconds one_call) {
    const std::int64_t fewest = one_call < kShort ? kCallsOfShortOnes : 1;
    return std::clamp(kShortestRun / std::max(one_call, nanoseconds(1)), fewest, kMostCalls);
  }

  // The time of one call at the slowest party.
  nanoseconds time_of(AllReduce algorithm, std::int64_t bytes, std::int64_t calls) {
    const Words tensor{std::span(words_).first(static_cast<std::size_t>(bytes) / sizeof(std::uint64_t)), kWordBits};
    barrier(group_);
    const Clock::time_point begin = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i) all_reduce(group_, Tensors(&tensor, 1), algorithm);
    const nanoseconds took = slowest(Clock::now() - begin);
    spent_ += took;
    return took / calls;
  }

  nanoseconds slowest(nanoseconds own) {
    std::vector<std::int64_t> times(static_cast<std::size_t>(group_.parties()));
    times[static_cast<std::size_t>(group_.rank())] = own.count();
    std::vector<Bytes> by_party;
    for (std::int64_t& time : times) by_party.push_back(std::as_writable_bytes(std::span(&time, 1)));
    all_gather(group_, by_party);
    return nanoseconds(*std::max_element(times.begin(), times.end()));
  }

  Group& group_;
  const CalibrationOptions options_;
  std::vector<std::uint64_t> words_;
  AllReduceModel model_;
  nanoseconds spent_{0};
};

AllReducePlan agree_on(const AllReducePlan& own, Group& group) {
  std::vector<std::byte> encoded = own.encode();
  broadcast(group, 0, Bytes(encoded));
  return AllReducePlan::parse(encoded);
}

// The bandwidth of a large two-phase all-reduce, which uses every link equally.
double bandwidth(const AllReduceModel& model, int parties) {
  constexpr std::int64_t kMore = kSizes[std::size(kSizes) - 1] * 2, kLess = kMore / 2;
  const auto time = *model.predict(AllReduce::kTwoPhase, kMore) - *model.predict(AllReduce::kTwoPhase, kLess);
  const double sent = 2.0 * (parties - 1) / parties * static_cast<double>(kMore - kLess);
  return sent / std::max(seconds(time), 1e-9);
}

}  // namespace

std::string Calibration::text() const {
  return fmt::format("all-reduce: {} (a round takes {:.3f} ms, each party sends {:.1f} MB/s; measured in {:.2f} s)",
                     plan.text(), seconds(latency) * 1e3, bytes_per_second / 1e6, seconds(took));
}

std::int64_t calibration_bytes(int parties) {
  constexpr std::int64_t kPiecesOfALink = 1 << 20;
  return parties == 1 ? 0 : kSizes[std::size(kSizes) - 1] + parties * kPiecesOfALink;
}

Calibration calibrate_all_reduce(Group& group, const CalibrationOptions& options) {
  if (group.parties() == 1) return {AllReducePlan::unmeasured(1)};
  const Clock::time_point begin = Clock::now();
  const AllReduceModel model = Experiment(group, options).run();
  const AllReducePlan plan = agree_on(model.plan(), group);
  return {plan, *model.predict(AllReduce::kDirect, 0), bandwidth(model, group.parties()), Clock::now() - begin};
}

}  // namespace tacit::net
