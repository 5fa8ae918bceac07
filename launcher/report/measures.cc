#include "launcher/report/measures.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "launcher/reading_name.h"

namespace tacit::launcher {

namespace {

template <typename OfTraffic>
std::function<std::optional<double>(const ToldEpoch&)> of_traffic(const OfTraffic& of) {
  return [of](const ToldEpoch& epoch) -> std::optional<double> {
    if (!epoch.measured) return std::nullopt;
    return static_cast<double>(of(*epoch.measured));
  };
}

}  // namespace

const std::vector<EpochMeasure>& epoch_measures() {
  static const std::vector<EpochMeasure> all = {
      {"bytes", "Bytes sent per epoch", Quantity::kBytes, true,
       of_traffic([](const EpochTraffic& traffic) { return traffic.total.payload_sent; })},
      {"packets", "TCP packets sent per epoch", Quantity::kCount, true,
       of_traffic([](const EpochTraffic& traffic) { return traffic.total.packets_sent; })},
      {"rounds", "Rounds per epoch", Quantity::kCount, false,
       of_traffic([](const EpochTraffic& traffic) { return traffic.rounds; })},
      {"time", "Time per epoch", Quantity::kSeconds, false,
       [](const ToldEpoch& epoch) { return std::optional(epoch.usage.seconds); }},
      {"cpu", "CPU time per epoch", Quantity::kSeconds, true,
       [](const ToldEpoch& epoch) { return std::optional(epoch.usage.cpu_seconds); }},
      {"memory", "Peak memory so far", Quantity::kBytes, false,
       [](const ToldEpoch& epoch) { return std::optional(static_cast<double>(epoch.usage.peak_memory)); }}};
  return all;
}

MeanAndDeviation mean_and_deviation(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double count = static_cast<double>(values.size()), mean = sum / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0};
}

std::vector<Point> points_of(const RankAccount& account, const EpochMeasure& measure) {
  std::vector<Point> points;
  for (const auto& [epoch, told] : account.epochs) {
    if (const std::optional<double> value = measure.of(told)) points.push_back({static_cast<double>(epoch), *value});
  }
  return points;
}

std::int64_t last_epoch_of_parties(const RunAccount& run) {
  std::int64_t last = 0;
  for (const RankAccount& account : run.ranks) {
    if (account.role != "dealer" && !account.epochs.empty()) last = std::max(last, account.epochs.rbegin()->first);
  }
  return last;
}

namespace {

std::vector<double> values_of(const std::vector<Point>& points) {
  std::vector<double> values;
  for (const Point& point : points) values.push_back(point.y);
  return values;
}

void even_out(std::vector<Point>& points) {
  const double mean = points.empty() ? 0 : mean_and_deviation(values_of(points)).mean;
  for (Point& point : points) point.y = mean;
}

}  // namespace

std::vector<Point> points_of(const RunAccount& run, const EpochMeasure& measure) {
  std::map<double, std::pair<std::size_t, double>> all;  // by epoch: number of ranks, and value
  std::size_t tellers = 0;
  for (const RankAccount& account : run.ranks) {
    std::vector<Point> points = points_of(account, measure);
    if (account.role == "dealer" && measure.adds_up) even_out(points);
    if (!points.empty()) ++tellers;
    for (const Point& point : points) {
      auto& [count, value] = all[point.x];
      value = measure.adds_up ? value + point.y : std::max(value, point.y);
      ++count;
    }
  }
  std::vector<Point> points;
  for (const auto& [epoch, told] : all) {
    if (told.first == tellers) points.push_back({epoch, told.second});
  }
  return points;
}

std::optional<double> median_of(const RankAccount& account, const EpochMeasure& measure) {
  const std::vector<Point> points = points_of(account, measure);
  if (account.role == "dealer" && !points.empty()) return mean_and_deviation(values_of(points)).mean;
  return median(values_of(points));
}

std::optional<double> median_of(const RunAccount& run, const EpochMeasure& measure) {
  return median(values_of(points_of(run, measure)));
}

std::optional<double> sum_of(const RankAccount& account, const EpochMeasure& measure) {
  const std::vector<Point> points = points_of(account, measure);
  if (points.empty()) return std::nullopt;
  double sum = 0;
  for (const Point& point : points) sum += point.y;
  return sum;
}

std::vector<Point> losses_of(const RankAccount& account) {
  std::vector<Point> points;
  for (const auto& [epoch, told] : account.epochs) {
    if (told.loss) points.push_back({static_cast<double>(epoch), *told.loss});
  }
  return points;
}

std::vector<Point> readings_of(const RankAccount& account, const std::string& what) {
  std::vector<Point> points;
  for (const auto& [epoch, told] : account.epochs) {
    for (const ToldReading& reading : told.readings) {
      if (reading.what == what) points.push_back({static_cast<double>(epoch), reading.value});
    }
  }
  return points;
}

std::vector<std::string> kinds_of_readings(const RankAccount& account) {
  constexpr std::size_t kMost = 64;
  std::vector<std::string> kinds;
  std::set<std::string> seen;
  for (const auto& [epoch, told] : account.epochs) {
    for (const ToldReading& reading : told.readings) {
      if (kinds.size() < kMost && seen.insert(reading.what).second) kinds.push_back(reading.what);
    }
  }
  return kinds;
}

std::string shown_kind(const RankAccount& account, const std::string& what) {
  for (const auto& [epoch, told] : account.epochs) {
    for (const ToldReading& reading : told.readings) {
      if (reading.what == what) return shown_name(reading);
    }
  }
  return what;
}

std::optional<double> result_of_reading(const RankAccount& account, const std::string& what) {
  if (account.best) {
    for (const ToldReading& reading : account.best->readings) {
      if (reading.what == what) return reading.value;
    }
  }
  return last(readings_of(account, what));
}

std::optional<double> last(const std::vector<Point>& points) {
  return points.empty() ? std::nullopt : std::optional(points.back().y);
}

}  // namespace tacit::launcher
