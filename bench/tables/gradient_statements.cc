#include "bench/tables/gradient_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "bench/tables/confidence.h"
#include "bench/tables/gradients.h"
#include "bench/tables/others.h"
#include "launcher/report/quantity.h"

namespace tacit::launcher {

namespace {

using namespace gradient_name;

constexpr double kAlikeCosts = 0.01;     // times and bytes that differ by 1 % are alike
constexpr double kAlikeMemory = 0.1;     // memory that differs by 10 % is alike
constexpr double kAlikeAccuracy = 1e-9;  // accuracies are alike only if they are equal

enum class Verdict { kComesOut, kDoesNot, kOpen };

const char* text_of(Verdict verdict) {
  constexpr const char* kTexts[] = {"comes out here", "does not come out here", "cannot be told from these runs"};
  return kTexts[static_cast<int>(verdict)];
}

// The runs of one setting, by seed.
struct Runs {
  std::string name;
  std::vector<double> values;
};

// The claim that one setting's runs are less than another one's.
struct Claim {
  const Runs& less;
  const Runs& more;
};

// All claims must come out; one that certainly fails decides.
Verdict judge(const std::vector<Claim>& claims, double alike) {
  Verdict verdict = Verdict::kComesOut;
  for (const Claim& claim : claims) {
    // A training that diverged has no figures, so that runs of the same place may have other seeds.
    if (claim.less.values.size() != claim.more.values.size()) return Verdict::kOpen;
    switch (compare_runs(claim.less.values, claim.more.values, alike)) {
      case Comparison::kLess:
        break;
      case Comparison::kMore:
      case Comparison::kAlike:
        return Verdict::kDoesNot;
      case Comparison::kOpen:
        verdict = Verdict::kOpen;
    }
  }
  return verdict;
}

// Claims that each runs are less than the next ones in the list.
std::vector<Claim> rising(const std::vector<Runs>& all) {
  std::vector<Claim> claims;
  for (std::size_t i = 1; i < all.size(); ++i) claims.push_back({all[i - 1], all[i]});
  return claims;
}

std::string list_of(const std::vector<Runs>& all, const std::string& unit) {
  std::string text;
  for (const Runs& one : all) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", one.name, mean_interval(one.values).text(unit));
  }
  return text;
}

class Statements {
 public:
  explicit Statements(Measurements& measured) : measured_(measured) {
    for (const Measurements& other : others("gradients")) {
      for (const Row& row : other.tables().front().rows) {
        if (!row.label("about").empty()) said_.emplace_back(row.label("about"), row.label("said"));
      }
    }
  }

  void judge_all() {
    judge_cpu();
    judge_memory();
    judge_bytes();
    judge_time();
    judge_bucket_sizes();
    judge_batches();
    judge_loss_of_information();
    judge_async();
  }

 private:
  void add(const std::string& about, Verdict verdict, const std::string& found, const std::string& reason) {
    const auto at = std::find_if(said_.begin(), said_.end(), [&](const auto& one) { return one.first == about; });
    if (at == said_.end()) return;
    const std::string why = reason.empty() ? "" : "; " + reason;
    measured_
        .table(kSaid,
               "Each sentence of the document beside its verdict here. Means are over seeds, with 95 % intervals "
               "over paired seeds; costs within 1 % are alike.")
        .add({{"the document", at->second}, {"verdict", text_of(verdict)}, {"here", found + why}});
  }

  // The runs of the rows with this label of a table, in the order of `values`. Empty if a row is missing.
  std::vector<Runs> runs(const char* table, const char* label, const std::vector<std::string>& values,
                         const char* figure, const std::string& rank = "") const {
    std::vector<Runs> all;
    const Table* found = measured_.find(table);
    if (found == nullptr) return all;
    for (const std::string& value : values) {
      const auto row = std::find_if(found->rows.begin(), found->rows.end(), [&](const Row& one) {
        return one.label(label) == value && one.label("rank") == rank;
      });
      const Samples* samples = row == found->rows.end() ? nullptr : row->find(figure);
      if (samples == nullptr) return {};
      all.push_back({value, samples->values()});
    }
    return all;
  }

  std::vector<std::string> labels(const char* table, const char* label) const {
    std::vector<std::string> values;
    const Table* found = measured_.find(table);
    if (found == nullptr) return values;
    for (const Row& row : found->rows) {
      if (std::find(values.begin(), values.end(), row.label(label)) == values.end()) values.push_back(row.label(label));
    }
    return values;
  }

  static std::vector<std::string> three_ways() {
    return {std::string(kGatherWay), std::string(kPerLayerWay), std::string(kBucketsWay)};
  }

  void judge_cpu() {
    const std::vector<Runs> cpu = runs(kRanks, "way", three_ways(), kCpuOfRank, kWorker);
    if (cpu.empty()) return;
    const Verdict verdict = judge({{cpu[0], cpu[1]}, {cpu[0], cpu[2]}, {cpu[1], cpu[2]}}, kAlikeCosts);
    add("cpu", verdict, "a worker's CPU: " + list_of(cpu, "%"),
        verdict == Verdict::kDoesNot
            ? "a core that one rank leaves idle computes for another rank where ranks share cores"
            : "");
  }

  void judge_memory() {
    std::vector<std::string> ways = labels(kRanks, "way");
    std::erase(ways, std::string(kSingleWay));
    std::erase(ways, std::string(kDdpWay));
    const std::vector<Runs> memory = runs(kRanks, "way", ways, kResident, kWorker);
    if (memory.size() < 2) return;
    const auto mean = [](const Runs& one) { return mean_interval(one.values).mean; };
    const auto [least, most] = std::minmax_element(memory.begin(), memory.end(),
                                                   [&](const Runs& a, const Runs& b) { return mean(a) < mean(b); });
    const double ratio = mean(*most) / mean(*least);
    const bool alike = ratio <= 1 + kAlikeMemory;
    add("memory", alike ? Verdict::kComesOut : Verdict::kDoesNot,
        fmt::format("a worker has {:.0f} MB ({}) to {:.0f} MB ({}), {:.2f} x", mean(*least), least->name, mean(*most),
                    most->name, ratio),
        alike ? "" : "ways need room of their own for sums and for gradients on their way");
  }

  void judge_bytes() {
    const std::vector<Runs> sent = runs(kRanks, "way", three_ways(), kSent, "0");
    const std::vector<Runs> received = runs(kRanks, "way", three_ways(), kReceived, "0");
    if (sent.empty() || received.empty()) return;
    const std::vector<Runs> both = added(sent, received);
    const Verdict verdict = judge({{both[2], both[0]}, {both[1], both[2]}}, kAlikeCosts);
    add("bytes", verdict, "sent and received by rank 0 in an iteration: " + list_of(both, "MB"),
        verdict == Verdict::kDoesNot ? "the two all-reduces add up the same gradients, and can differ by headers alone"
                                     : "");
  }

  static std::vector<Runs> added(const std::vector<Runs>& a, const std::vector<Runs>& b) {
    std::vector<Runs> sums = a;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (std::size_t run = 0; run < sums[i].values.size(); ++run) sums[i].values[run] += b[i].values[run];
    }
    return sums;
  }

  void judge_time() {
    std::vector<std::string> ways = three_ways();
    ways.insert(ways.begin(), std::string(kSingleWay));
    std::reverse(ways.begin(), ways.end());
    const std::vector<Runs> times = runs(kWays, "way", ways, kIteration);
    if (times.empty()) return;
    const Verdict verdict = judge(rising(times), kAlikeCosts);
    add("time", verdict, list_of(times, "s"),
        verdict == Verdict::kDoesNot ? "the document's nodes have cores of their own, while ranks here may share cores"
                                     : "");
  }

  void judge_bucket_sizes() {
    const std::vector<std::string> sizes = labels(kBucketSizes, "bucket");
    if (sizes.size() < 2) return;
    std::vector<std::string> falling(sizes.rbegin(), sizes.rend());
    const std::vector<Runs> sent = runs(kBucketSizes, "bucket", falling, kSent),
                            times = runs(kBucketSizes, "bucket", sizes, kIteration);
    if (!sent.empty()) {
      const Verdict verdict = judge(rising(sent), kAlikeCosts);
      add("bucket bytes", verdict, "sent by rank 0 in an iteration: " + list_of(sent, "MB"),
          verdict == Verdict::kDoesNot ? "the buckets together hold the same gradients, and differ by headers alone"
                                       : "");
    }
    if (!times.empty()) {
      const Verdict verdict = judge(rising(times), kAlikeCosts);
      add("bucket time", verdict, list_of(times, "s"),
          verdict == Verdict::kDoesNot
              ? "many small buckets cost more messages, and a large one leaves late: the link decides"
              : "");
    }
  }

  void judge_batches() {
    std::vector<std::string> batches = labels(kBatches, "batch");
    if (batches.size() < 2) return;
    std::reverse(batches.begin(), batches.end());
    const std::vector<Runs> accuracy = runs(kBatches, "batch", batches, kTestAccuracy);
    if (accuracy.empty()) return;
    const Verdict verdict = judge(rising(accuracy), kAlikeAccuracy);
    add("batch", verdict, "accuracy by batch: " + list_of(accuracy, "%"),
        verdict == Verdict::kComesOut ? "an epoch has fewer steps with a larger batch" : "");
  }

  // Equal weights at equal seeds: communication loses nothing, and seeds explain the differences.
  void judge_loss_of_information() {
    const Table* models = measured_.find(kModels);
    const Table* learning = measured_.find(kLearning);
    if (models == nullptr || learning == nullptr) return;
    std::set<std::string> unlike, ways, seeds;
    for (const Row& row : models->rows) {
      if (row.label("trained") != "one epoch") continue;
      ways.insert(row.label("way"));
      seeds.insert(row.label("seed"));
      if (row.label("as the first of its group") != "yes") unlike.insert(row.label("way"));
    }
    if (ways.empty()) return;
    const auto of_ranks = [&](const Row& row) {
      return ways.contains(row.label("way")) && row.find(kTestAccuracy) != nullptr;
    };
    const auto row = std::find_if(learning->rows.begin(), learning->rows.end(), of_ranks);
    if (row == learning->rows.end()) return;
    const Samples& accuracy = *row->find(kTestAccuracy);
    if (!unlike.empty()) {
      add("information", Verdict::kOpen,
          fmt::format("{} of {} ways end with other weights", unlike.size(), ways.size()), "");
      return;
    }
    std::string found = fmt::format("{} synchronous ways end with the same weights, bit for bit, with each of {} {}",
                                    ways.size(), seeds.size(), seeds.size() == 1 ? "seed" : "seeds");
    if (seeds.size() > 1) {
      found += fmt::format(": no way loses anything. Seeds alone move the accuracy from {} to {} %",
                           number_text(accuracy.min()), number_text(accuracy.max()));
    }
    add("information", Verdict::kDoesNot, found, "the document's three numbers are of three seeds");
  }

  void judge_async() {
    const std::vector<std::string> ways = labels(kWays, "way");
    const auto has = [&](std::string_view way) { return std::find(ways.begin(), ways.end(), way) != ways.end(); };
    if (!has(kAsyncWay)) return;
    const std::string async(kAsyncWay);
    const std::string sync(has(kPerLayerWay) ? kPerLayerWay : kBucketsWay);  // the document's is per layer
    const std::vector<Runs> times = runs(kWays, "way", {async, sync}, kIteration);
    if (!times.empty()) {
      const Verdict verdict = judge({{times[0], times[1]}}, kAlikeCosts);
      add("async time", verdict, list_of(times, "s"),
          verdict == Verdict::kDoesNot ? "ranks that share cores compute in the time in which another one waits" : "");
    }
    const std::vector<Runs> sent = runs(kRanks, "way", {async, sync}, kSent, kWorker);
    if (!sent.empty()) {
      const Verdict verdict = judge({{sent[1], sent[0]}}, kAlikeCosts);
      add("async bytes", verdict, "sent by a worker in an iteration: " + list_of(sent, "MB"),
          verdict == Verdict::kComesOut ? "a rank sends its whole gradient to each other one, and no sum" : "");
    }
    const std::vector<Runs> accuracy = runs(kLearning, "way", {async, sync}, kTestAccuracy);
    if (!accuracy.empty()) {
      const Verdict verdict = judge({{accuracy[0], accuracy[1]}}, kAlikeAccuracy);
      add("async accuracy", verdict, list_of(accuracy, "%"),
          "here no gradient is torn, while the document's async_op did not wait: a race may have changed its accuracy");
    }
  }

  Measurements& measured_;
  std::vector<std::pair<std::string, std::string>> said_;
};

}  // namespace

void add_gradient_statements(Measurements& measured) { Statements(measured).judge_all(); }

}  // namespace tacit::launcher
