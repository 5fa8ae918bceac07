#include "bench/tables/gradient_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/tables/gradient_aims.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kFewTestPictures = 10;  // in a training that measures times only
constexpr const char* kUsualBucket = "25MB";   // DistributedDataParallel's

}  // namespace

std::string GradientSettings::text() const {
  std::string text = way;
  if (way == kBucketsWay || way == kDdpWay) text += " of " + bucket;
  text += ranks == 1 ? fmt::format(", batch {}", batch) : fmt::format(", {} x {}", ranks, batch);
  if (micro_batches > 1) text += fmt::format(" in {} parts", micro_batches);
  if (epochs > 1) text += fmt::format(", {} epochs", epochs);
  if (iterations > 0) text += fmt::format(", {} iterations", iterations);
  if (!link.empty()) text += ", link " + link;
  return text + fmt::format(", seed {}", seed);
}

GradientPlan::GradientPlan(const GradientOptions& options, int cores) : options_(options), cores_(cores) {}

std::int64_t GradientPlan::few_test_pictures() const {
  return options_.test > 0 ? std::min(options_.test, kFewTestPictures) : kFewTestPictures;
}

int GradientPlan::threads_of(bool single) const {
  if (options_.threads > 0) return options_.threads;
  if (!options_.hosts.empty()) return 1;
  return single ? cores_ : std::max(1, cores_ / options_.ranks);
}

bool GradientPlan::has(std::string_view way) const {
  return std::find(options_.ways.begin(), options_.ways.end(), way) != options_.ways.end();
}

GradientSettings GradientPlan::of(const std::string& way, std::uint64_t seed) const {
  GradientSettings made;
  const bool single = way == kSingleWay;
  made.way = way;
  made.ranks = single ? 1 : options_.ranks;
  made.batch = options_.batches.front() * (single ? options_.ranks : 1);
  const auto usual = std::find(options_.buckets.begin(), options_.buckets.end(), kUsualBucket);
  made.bucket = usual == options_.buckets.end() ? options_.buckets.front() : *usual;
  made.threads = threads_of(single);
  made.test = options_.test;
  made.seed = seed;
  return made;
}

// The way that is likely to be the fastest, by the order of this list; all ways end with the same model.
std::string GradientPlan::fastest_way() const {
  if (has(kBucketsWay)) return std::string(kBucketsWay);
  for (const std::string& way : options_.ways) {
    if (way != kSingleWay) return way;
  }
  return "";
}

std::vector<GradientSettings> GradientPlan::ways(std::uint64_t seed) const {
  std::vector<GradientSettings> trainings;
  for (const std::string& way : options_.ways) trainings.push_back(of(way, seed));
  if (options_.async) trainings.push_back(of(std::string(kAsyncWay), seed));
  if (!options_.ddp.empty()) trainings.push_back(of(std::string(kDdpWay), seed));
  return trainings;
}

std::vector<GradientSettings> GradientPlan::buckets(std::uint64_t seed) const {
  std::vector<GradientSettings> trainings;
  if (!has(kBucketsWay)) return trainings;
  for (const std::string& bucket : options_.buckets) {
    GradientSettings& one = trainings.emplace_back(of(std::string(kBucketsWay), seed));
    one.bucket = bucket;
    one.iterations = options_.iterations + 1;
    one.test = few_test_pictures();
  }
  return trainings;
}

// The document varies the batch with gather and scatter. All ways end with the same model, so another way does as well.
std::vector<GradientSettings> GradientPlan::batches(std::uint64_t seed) const {
  std::vector<GradientSettings> trainings;
  const std::string way = has(kGatherWay) ? std::string(kGatherWay) : fastest_way();
  if (way.empty() || options_.batches.size() < 2) return trainings;
  for (const std::int64_t batch : options_.batches) trainings.emplace_back(of(way, seed)).batch = batch;
  return trainings;
}

std::vector<GradientSettings> GradientPlan::epochs(std::uint64_t seed) const {
  const std::string way = fastest_way().empty() && !options_.ways.empty() ? options_.ways.front() : fastest_way();
  if (way.empty() || options_.epochs.back() < 2) return {};
  GradientSettings longest = of(way, seed);
  longest.epochs = options_.epochs.back();
  return {longest};
}

std::vector<GradientSettings> GradientPlan::same_model(std::uint64_t seed) const {
  if (!has(kSingleWay) || fastest_way().empty()) return {};
  GradientSettings ranks = of(fastest_way(), seed);
  GradientSettings parts = of(std::string(kSingleWay), seed);
  parts.micro_batches = options_.ranks;
  parts.threads = ranks.threads;  // a sum in another order has other bits
  for (GradientSettings* one : {&ranks, &parts}) {
    one->iterations = options_.iterations + 1;
    one->test = few_test_pictures();
  }
  return {ranks, parts};
}

std::vector<GradientSettings> GradientPlan::hiding(std::uint64_t seed) const {
  if (!has(kBucketsWay) || !options_.hosts.empty() || cores_ <= options_.ranks) return {};
  GradientSettings one = of(std::string(kBucketsWay), seed);
  one.bucket = kUsualBucket;
  one.link = kLinkOfAim;
  one.threads = std::max(1, (cores_ - 1) / options_.ranks);
  one.iterations = options_.iterations + 1;
  one.test = few_test_pictures();
  return {one};
}

std::vector<GradientSettings> GradientPlan::all() const {
  std::vector<GradientSettings> trainings;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(options_.seeds); ++seed) {
    for (const auto& list : {ways(seed), buckets(seed), batches(seed), epochs(seed), same_model(seed), hiding(seed)}) {
      for (const GradientSettings& one : list) {
        if (std::find(trainings.begin(), trainings.end(), one) == trainings.end()) trainings.push_back(one);
      }
    }
  }
  return trainings;
}

}  // namespace tacit::launcher
