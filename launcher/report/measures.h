// Measures — the numbers of a run for its page and for comparisons: per epoch at a rank, and for all ranks together.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launcher/report/figure.h"
#include "launcher/report/run_account.h"

namespace tacit::launcher {

// A number that every epoch of every rank has.
struct EpochMeasure {
  std::string name;   // "bytes": the figure's name
  std::string title;  // "Bytes sent per epoch"
  Quantity quantity = Quantity::kNumber;
  bool adds_up = false;  // sum over the ranks; otherwise the largest counts
  std::function<std::optional<double>(const ToldEpoch&)> of;
};

// Bytes, packets, rounds, time, CPU time, memory.
const std::vector<EpochMeasure>& epoch_measures();

struct MeanAndDeviation {
  double mean = 0, deviation = 0;  // the sample's standard deviation; 0 for one value
};
MeanAndDeviation mean_and_deviation(const std::vector<double>& values);  // not empty

// The median of a rank's epochs, or nullopt if there are no epochs. The dealer runs ahead and deals for many epochs
// at once, so its epochs count by their mean, also within the bytes of all ranks.
std::optional<double> median_of(const RankAccount& account, const EpochMeasure& measure);
std::optional<double> sum_of(const RankAccount& account, const EpochMeasure& measure);
// The same for a run: the sum over all ranks, or the largest.
std::optional<double> median_of(const RunAccount& run, const EpochMeasure& measure);

std::vector<Point> points_of(const RankAccount& account, const EpochMeasure& measure);
// The last epoch in a party's account; 0: no epoch. The dealer runs ahead, so its account may have more.
std::int64_t last_epoch_of_parties(const RunAccount& run);
// Epoch by epoch for all ranks: the sum if every rank has the epoch, or the largest.
std::vector<Point> points_of(const RunAccount& run, const EpochMeasure& measure);

std::vector<Point> losses_of(const RankAccount& account);
std::vector<Point> readings_of(const RankAccount& account, const std::string& what);
// The kinds of readings, in the order of first occurrence: "train rmse", "test rmse".
std::vector<std::string> kinds_of_readings(const RankAccount& account);
// How people read such a kind: with the name of its class, if the account has it.
std::string shown_kind(const RankAccount& account, const std::string& what);
// The value that belongs to the result: the best model's if the training ended with it, otherwise the last one.
std::optional<double> result_of_reading(const RankAccount& account, const std::string& what);

std::optional<double> last(const std::vector<Point>& points);

}  // namespace tacit::launcher
