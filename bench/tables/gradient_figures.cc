#include "bench/tables/gradient_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "bench/tables/confidence.h"
#include "bench/tables/gradients.h"
#include "bench/tables/others.h"

namespace tacit::launcher {

namespace {

using namespace gradient_name;

// The content of a chart: one figure of a table's rows.
struct Charted {
  const char* table;
  const char* figure;
  Quantity quantity;
  double unit = 1;  // the figure's unit, in the quantity's unit
};
constexpr double kMegabyteOfBytes = 1e6;
constexpr Charted kCpuByWay{kRanks, kCpuOfRank, Quantity::kPercent}, kTimeByWay{kWays, kIteration, Quantity::kSeconds},
    kAccuracyByWay{kLearning, kTestAccuracy, Quantity::kPercent}, kLossByWay{kLearning, kTestLoss, Quantity::kNumber};
constexpr Charted kMemoryByWay{kRanks, kResident, Quantity::kBytes, kMegabyteOfBytes},
    kSentByWay{kRanks, kSent, Quantity::kBytes, kMegabyteOfBytes},
    kReceivedByWay{kRanks, kReceived, Quantity::kBytes, kMegabyteOfBytes};

const Table& table_of(const Measurements& measured, const char* name) {
  static const Table none;
  const Table* found = measured.find(name);
  return found == nullptr ? none : *found;
}

BarFigure empty_bars(const std::string& name, const std::string& title, const Charted& charted) {
  return {"gradients-" + name, title, charted.quantity, {charted.figure}, {}};
}

// "buckets, worker": the mean of the seeds, and in the name the interval of accuracies and losses.
template <typename Wanted>
BarFigure bars_of_rows(const Measurements& measured, const std::string& name, const std::string& title,
                       const Charted& charted, const std::vector<const char*>& labels, const Wanted& wanted) {
  BarFigure figure = empty_bars(name, title, charted);
  for (const Row& row : table_of(measured, charted.table).rows) {
    const Samples* samples = row.find(charted.figure);
    if (samples == nullptr || !wanted(row)) continue;
    std::string bar;
    for (const char* label : labels) {
      const std::string text = row.label(label);
      if (text.empty()) continue;
      bar += (bar.empty() ? "" : ", ") + (std::string(label) == "rank" && text == "0" ? "rank 0" : text);
    }
    const MeanInterval mean = mean_interval(samples->values());
    constexpr double kTooSmallToShow = 1e-3;
    if (mean.half && *mean.half > kTooSmallToShow * std::abs(mean.mean))
      bar += fmt::format(" (± {})", text_of(charted.quantity, *mean.half * charted.unit));
    figure.bars.push_back({std::move(bar), {mean.mean * charted.unit}});
  }
  return figure;
}

bool any_row(const Row&) { return true; }

void add_documents(BarFigure& figure, const Charted& charted) {
  if (figure.bars.empty()) return;
  for (const Measurements& other : others("gradients")) {
    for (const Row& row : other.tables().front().rows) {
      if (const Samples* told = row.find(charted.figure)) {
        figure.bars.push_back({"the document, " + row.label("way"), {told->median() * charted.unit}});
      }
    }
  }
}

std::optional<double> place_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Means over a label that is a number, with a band of the 95 % interval.
LineFigure line_over(const Measurements& measured, const std::string& name, const std::string& title,
                     const Charted& charted, const char* across) {
  LineFigure figure = {
      .name = "gradients-" + name, .title = title, .quantity = charted.quantity, .series = {}, .across = across};
  Series series{"mean of the seeds", {}, 0};
  for (const Row& row : table_of(measured, charted.table).rows) {
    const Samples* samples = row.find(charted.figure);
    const auto x = place_of(row.label(across));
    if (samples == nullptr || !x) continue;
    const MeanInterval mean = mean_interval(samples->values());
    series.points.push_back({*x, mean.mean * charted.unit});
    series.deviation.push_back(mean.half.value_or(0) * charted.unit);
  }
  if (!series.points.empty()) figure.series.push_back(std::move(series));
  return figure;
}

// A line for each way over the iterations.
void add_losses_of(const Table& table, const std::string& whose, Series::Stroke stroke, int& colour,
                   LineFigure& figure) {
  for (const Row& row : table.rows) {
    Series series{whose + row.label("way"), {}, colour, stroke};
    for (const auto& [iteration, samples] : row.figures) {
      const auto x = place_of(iteration);
      if (x) series.points.push_back({*x, mean_interval(samples.values()).mean});
    }
    if (series.points.empty()) continue;
    ++colour;
    figure.series.push_back(std::move(series));
  }
}

LineFigure training_losses(const Measurements& measured) {
  LineFigure figure = {.name = "gradients-training-loss",
                       .title = "Training loss by iteration, and the document's",
                       .quantity = Quantity::kNumber,
                       .series = {},
                       .across = "iteration"};
  int colour = 0;
  add_losses_of(table_of(measured, kLosses), "", Series::Stroke::kSolid, colour, figure);
  if (figure.series.empty()) return figure;
  colour = 0;
  for (const Measurements& other : others("gradients")) {
    add_losses_of(other.tables().front(), "the document, ", Series::Stroke::kDashed, colour, figure);
  }
  return figure;
}

// The parts of an iteration's time.
BarFigure parts_of_iteration(const Measurements& measured) {
  BarFigure figure{"gradients-parts",
                   "Parts of an iteration",
                   Quantity::kSeconds,
                   {"computing", "computing while sums are under way", "waiting"},
                   {}};
  for (const Row& row : table_of(measured, kWays).rows) {
    if (row.find("computing") == nullptr) continue;
    const auto mean = [&](const char* part) {
      const Samples* samples = row.find(part);
      return samples == nullptr ? 0 : mean_interval(samples->values()).mean;
    };
    figure.bars.push_back({row.label("way"), {mean("computing") - mean("hidden"), mean("hidden"), mean("waiting")}});
  }
  return figure;
}

// The synchronous ways with several ranks beside the asynchronous one. Empty if there is only one kind.
BarFigure sync_against_async(const Measurements& measured, const std::string& name, const std::string& title,
                             const Charted& charted) {
  const auto is_async = [](const Row& row) { return row.label("way") == kAsyncWay; };
  const auto& rows = table_of(measured, charted.table).rows;
  if (std::none_of(rows.begin(), rows.end(), is_async)) return empty_bars(name, title, charted);
  return bars_of_rows(measured, name, title, charted, {"way", "rank"}, [](const Row& row) {
    return row.label("way") != kSingleWay && row.label("way") != kDdpWay && row.label("rank") != "0";
  });
}

}  // namespace

std::vector<Figure> gradient_figures(const Measurements& measured) {
  const auto by_way = [&](const char* name, const char* title, const Charted& charted) {
    return bars_of_rows(measured, name, title, charted, {"way", "rank"}, any_row);
  };
  const auto by_bucket = [&](const char* name, const char* title, Charted charted) {
    charted.table = kBucketSizes;
    return bars_of_rows(measured, name, title, charted, {"bucket"}, any_row);
  };
  const auto beside_documents = [&](const char* name, const char* title, const Charted& charted) {
    BarFigure figure = by_way(name, title, charted);
    add_documents(figure, charted);
    return figure;
  };
  const auto over = [&](const char* name, const char* title, Charted charted, const char* table, const char* across) {
    charted.table = table;
    return line_over(measured, name, title, charted, across);
  };
  return {
      by_way("cpu", "Figure 1: CPU of a rank by way", kCpuByWay),
      by_way("memory", "Figure 2: memory of a rank by way", kMemoryByWay),
      by_way("sent", "Figure 3: bytes sent in an iteration by way", kSentByWay),
      by_way("received", "Figure 4: bytes received in an iteration by way", kReceivedByWay),
      by_bucket("bucket-time", "Figure 5: time of an iteration by bucket", kTimeByWay),
      by_bucket("bucket-cpu", "Figure 6: CPU of rank 0 by bucket", kCpuByWay),
      by_bucket("bucket-bytes", "Figure 7: bytes sent in an iteration by bucket", kSentByWay),
      beside_documents("time", "Figure 8: time of an iteration by way", kTimeByWay),
      parts_of_iteration(measured),
      over("batch-accuracy", "Figure 9: test accuracy by batch", kAccuracyByWay, kBatches, "batch"),
      over("batch-loss", "Figure 10: test loss by batch", kLossByWay, kBatches, "batch"),
      beside_documents("accuracy", "Figure 11: test accuracy by way", kAccuracyByWay),
      beside_documents("loss", "Figure 12: test loss by way", kLossByWay),
      training_losses(measured),
      over("epochs-accuracy", "Figure 13: test accuracy by epochs", kAccuracyByWay, kEpochs, "epochs"),
      over("epochs-loss", "Figure 14: test loss by epochs", kLossByWay, kEpochs, "epochs"),
      sync_against_async(measured, "async-accuracy", "Figure 15: test accuracy, sync against async", kAccuracyByWay),
      sync_against_async(measured, "async-loss", "Figure 15: test loss, sync against async", kLossByWay),
      sync_against_async(measured, "async-time", "Figure 16: time of an iteration, sync against async", kTimeByWay),
      sync_against_async(measured, "async-bytes", "Figure 16: bytes sent by a worker, sync against async", kSentByWay),
  };
}

}  // namespace tacit::launcher
