#include "bench/tables/bench_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "bench/tables/divergence_figure.h"
#include "bench/tables/gradient_figures.h"
#include "bench/tables/others.h"
#include "bench/tables/rank_figures.h"

namespace tacit::launcher {

namespace {

using namespace figure_name;
using Scale = LineFigure::Scale;
using Stroke = Series::Stroke;

struct Measure {
  const char* figure;
  const char* title;
  Quantity quantity;
  double unit;  // the figure's unit, in the quantity's unit
};
constexpr Measure kTimeOfEpoch = {kEpochTime, "Time per epoch", Quantity::kSeconds, 1};
constexpr Measure kDataOfEpoch = {kEpochData, "Data per epoch", Quantity::kBytes, 1e6};
constexpr Measure kCoreEach = {kCoreEachTime, "Time per epoch, a core each", Quantity::kSeconds, 1};
constexpr Measure kUsualTimeOfEpoch = {kUsualTime, "Time of a usual epoch", Quantity::kSeconds, 1};
constexpr Measure kUsualDataOfEpoch = {kUsualData, "Data of a usual epoch", Quantity::kBytes, 1e6};
constexpr Measure kDataOnce = {kOnceData, "Data before the second epoch", Quantity::kBytes, 1e6};
constexpr Measure kMemoryOfRank = {kMemory, "Memory of a process", Quantity::kBytes, 1e6};

std::string file_name(std::string text) {
  for (char& c : text) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : '-';
  }
  return text;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// The points of the wanted rows, by a label that is a number.
template <typename Wanted>
std::vector<Point> points_of(const Table& table, const std::string& across, const Measure& measure,
                             const Wanted& wanted) {
  std::vector<Point> points;
  for (const Row& row : table.rows) {
    const Samples* samples = row.find(measure.figure);
    const auto x = number(row.label(across));
    if (samples == nullptr || !x || !wanted(row)) continue;
    points.push_back({*x, samples->median() * measure.unit});
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return points;
}

std::vector<Point> of_rank(const Table& table, const std::string& rank, const Measure& measure) {
  return points_of(table, "parties", measure, [&](const Row& row) { return row.label("rank") == rank; });
}

void add(LineFigure& figure, Series series) {
  // A logarithmic scale has no place for zero: a single party sends nothing.
  std::erase_if(series.points, [](const Point& point) { return point.y <= 0; });
  if (!series.points.empty()) figure.series.push_back(std::move(series));
}

// Tacit's figure and others', over the number of parties.
LineFigure over_parties(const Table& ours, const Measure& measure, const char* of_whom,
                        const std::vector<std::string>& ranks) {
  LineFigure figure = {.name = "scaling-" + file_name(measure.figure),
                       .title = fmt::format("{}{}", measure.title, of_whom),
                       .quantity = measure.quantity,
                       .scale = Scale::kLogarithmic,
                       .series = {},
                       .across = "parties"};
  for (const std::string& rank : ranks) {
    const bool dealer = rank == "dealer";
    const std::string name = rank == "all" ? "Tacit" : dealer ? "Tacit, the dealer" : "Tacit, rank " + rank;
    add(figure, {name, of_rank(ours, rank, measure), dealer ? 7 : 0, dealer ? Stroke::kDotted : Stroke::kSolid});
  }
  int colour = 1;
  for (const Measurements& other : others("scaling")) {
    const Table& table = other.tables().front();
    for (const std::string& rank : {ranks.front(), std::string("all"), std::string("0")}) {
      std::vector<Point> points = of_rank(table, rank, measure);
      if (points.empty()) continue;
      add(figure, {table.name, std::move(points), colour, Stroke::kDashed});
      break;
    }
    ++colour;
  }
  return figure;
}

std::vector<Figure> figures_of_scaling(const Measurements& measured) {
  const Table* ranks = measured.find("ranks");
  if (ranks == nullptr) return {};
  LineFigure times = over_parties(*ranks, kTimeOfEpoch, " at rank 0", {"0"});
  add(times, {"Tacit, rank 0, a core each (estimate)", of_rank(*ranks, "0", kCoreEach), 0, Stroke::kDotted});
  return {
      over_parties(*ranks, {kWallClock, "Wall clock", Quantity::kSeconds, 1}, " at rank 0", {"0"}),
      std::move(times),
      over_parties(*ranks, {kPackets, "Packets", Quantity::kCount, 1}, " at one rank", {"0", "dealer"}),
      over_parties(*ranks, {kData, "Data", Quantity::kBytes, 1e6}, " at one rank", {"0", "dealer"}),
      over_parties(*ranks, kDataOfEpoch, " at one rank", {"0", "dealer"}),
      over_parties(*ranks, {kAllData, "Data per epoch", Quantity::kBytes, 1e6}, " of all ranks", {"all"}),
      over_parties(*ranks, {kEpochPackets, "Packets per epoch", Quantity::kCount, 1}, " at one rank", {"0", "dealer"}),
      over_parties(*ranks, {kAllPackets, "Packets per epoch", Quantity::kCount, 1}, " of all ranks", {"all"}),
      over_parties(*ranks, {kCpu, "CPU, of one core", Quantity::kPercent, 1}, "", {"0", "dealer"}),
      over_parties(*ranks, kMemoryOfRank, "", {"0", "dealer"}),
      over_parties(*ranks, {kMemoryShare, "Memory, of the machine's", Quantity::kPercent, 1}, "", {"0", "dealer"}),
      over_parties(*ranks, {kEpochRounds, "Rounds per epoch", Quantity::kCount, 1}, "", {"0"})};
}

// A bar for each row, of one figure.
BarFigure bars(const Table& table, const std::string& name, const std::string& title, const Measure& measure,
               const std::vector<std::string>& labels) {
  BarFigure figure{name, title, measure.quantity, {measure.title}, {}};
  for (const Row& row : table.rows) {
    const Samples* samples = row.find(measure.figure);
    if (samples == nullptr) continue;
    std::string bar;
    for (const std::string& label : labels) {
      const std::string text = row.label(label);
      if (!text.empty()) bar += (bar.empty() ? "" : ", ") + text;
    }
    figure.bars.push_back({std::move(bar), {samples->median() * measure.unit}});
  }
  return figure;
}

std::vector<Figure> figures_of_two_machine(const Measurements& measured) {
  const Table* ours = measured.find("ranks");
  if (ours == nullptr) return {};
  std::vector<Figure> figures;
  for (const Measure& measure :
       {kTimeOfEpoch, kDataOfEpoch, Measure{kEpochPackets, "Packets per epoch", Quantity::kCount, 1},
        Measure{kCpu, "CPU, of one core", Quantity::kPercent, 1}, kMemoryOfRank}) {
    BarFigure figure{
        "two-machine-" + file_name(measure.figure), measure.title, measure.quantity, {measure.title}, {}, true};
    const auto add_bars = [&](const Table& table, const char* whose) {
      for (const Row& row : table.rows) {
        const Samples* samples = row.find(measure.figure);
        if (samples == nullptr) continue;
        const bool dealer = row.label("rank") == "dealer";
        figure.bars.push_back(
            {dealer ? fmt::format("{}, dealer", whose) : fmt::format("{}, rank {}", whose, row.label("rank")),
             {samples->median() * measure.unit}});
      }
    };
    add_bars(*ours, "Tacit");
    for (const Measurements& other : others("two-machine")) add_bars(other.tables().front(), "the report");
    figures.emplace_back(std::move(figure));
  }
  return figures;
}

// The rows of each data set, by its name; the order is the table's. An older file has one data set, without a name.
std::vector<std::pair<std::string, Table>> by_data(const Table& models) {
  std::vector<std::pair<std::string, Table>> sets;
  for (const Row& row : models.rows) {
    const std::string name = row.label("data");
    const auto same = [&](const auto& one) { return one.first == name; };
    auto set = std::find_if(sets.begin(), sets.end(), same);
    if (set == sets.end()) set = sets.insert(sets.end(), {name, Table{models.name, models.about, {}}});
    set->second.rows.push_back(row);
  }
  return sets;
}

// A bar for each of our models, then a bar for each of the report's, which are of other data.
BarFigure bars_beside_the_report(const Table& models, const std::string& name, const std::string& title,
                                 const Measure& measure) {
  BarFigure figure = bars(models, name, title, measure, {"model", "epochs"});
  for (const Measurements& other : others("accuracy")) {
    for (BarFigure::Bar& bar : bars(other.tables().front(), name, title, measure, {"model", "epochs"}).bars) {
      figure.bars.push_back(std::move(bar));
    }
  }
  return figure;
}

std::vector<Figure> figures_of_accuracy(const Measurements& measured) {
  std::vector<Figure> figures;
  const Table* models = measured.find("models");
  if (models == nullptr) return figures;
  const Measure test{"test RMSE", "Test RMSE", Quantity::kNumber, 1},
      train{"train RMSE", "Train RMSE", Quantity::kNumber, 1},
      time{"training time", "Training time", Quantity::kSeconds, 1};
  for (const auto& [data, rows] : by_data(*models)) {
    const std::string file = data.empty() ? "" : "-" + file_name(data), in = data.empty() ? "" : ", " + data;
    figures.emplace_back(bars_beside_the_report(rows, "accuracy-test" + file, "Error on test nodes" + in, test));
    figures.emplace_back(bars_beside_the_report(rows, "accuracy-train" + file, "Error on training nodes" + in, train));
    BarFigure times = bars_beside_the_report(rows, "accuracy-time" + file, "Training time" + in, time);
    times.logarithmic = true;
    figures.emplace_back(std::move(times));
  }
  return figures;
}

std::vector<Figure> figures_of_breakdown(const Measurements& measured) {
  std::vector<Figure> figures;
  const Measure bytes{"sent", "Sent to the other parties", Quantity::kBytes, 1},
      time{"time", "Time", Quantity::kSeconds, 1};
  for (const auto& [table, label] : {std::pair("protocols", "protocol"), std::pair("parts", "part")}) {
    const Table* found = measured.find(table);
    if (found == nullptr) continue;
    figures.emplace_back(bars(*found, fmt::format("breakdown-{}-bytes", table),
                              fmt::format("Bytes of an epoch by {}", label), bytes, {label}));
    figures.emplace_back(bars(*found, fmt::format("breakdown-{}-time", table),
                              fmt::format("Time of an epoch by {}", label), time, {label}));
  }
  if (const Table* limits = measured.find("limits")) {
    figures.emplace_back(bars(*limits, "breakdown-limits", "Least and measured time of an epoch", time, {"limit"}));
  }
  return figures;
}

// Errors on shares and on plain data.
Figure errors_of(const Table& table, const std::string& across, bool numbers) {
  std::string what;  // "test rmse"
  for (const Row& row : table.rows) {
    if (const Samples* told = row.find("on shares")) what = told->unit();
  }
  const std::string name = fmt::format("sweep-{}-errors", table.name);
  const std::string title = fmt::format("{} by {}", what, across);
  if (!numbers) {
    BarFigure figure{name, title, Quantity::kNumber, {what}, {}};
    for (const Row& row : table.rows) {
      for (const char* where : {"on shares", "on plain data"}) {
        const Samples* told = row.find(where);
        if (told != nullptr) figure.bars.push_back({row.label(across) + " " + where, {told->median()}});
      }
    }
    return figure;
  }
  LineFigure figure = {.name = name,
                       .title = title,
                       .quantity = Quantity::kNumber,
                       .scale = Scale::kFitting,
                       .series = {},
                       .across = across,
                       .logarithmic_across = true};
  const auto all = [](const Row&) { return true; };
  const auto measure = [&](const char* where) { return Measure{where, "", Quantity::kNumber, 1}; };
  add(figure, {"on shares", points_of(table, across, measure("on shares"), all), 0, Stroke::kSolid});
  add(figure,
      {"on plain data", points_of(table, across, measure("on plain data"), all), kPlainColour, Stroke::kDashed});
  return figure;
}

// Times, bytes and errors of epochs over the varied setting; bars if the setting is not a number.
std::vector<Figure> figures_of_sweep(const Measurements& measured) {
  std::vector<Figure> figures;
  for (const Table& table : measured.tables()) {
    if (table.rows.empty() || table.rows.front().labels.empty()) continue;
    const std::string across = table.rows.front().labels.front().first;
    const bool numbers = number(table.rows.front().label(across)).has_value();
    for (const Measure& measure : {kUsualTimeOfEpoch, kUsualDataOfEpoch, kDataOnce, kMemoryOfRank}) {
      const std::string name = fmt::format("sweep-{}-{}", table.name, file_name(measure.figure));
      const std::string title = fmt::format(
          "{} by {}{}", measure.title, across,
          table.name.ends_with("nodes") ? fmt::format(" ({} graph)", table.name.substr(0, table.name.find('-'))) : "");
      if (!numbers) {
        figures.emplace_back(bars(table, name, title, measure, {across}));
        continue;
      }
      LineFigure figure = {.name = name,
                           .title = title,
                           .quantity = measure.quantity,
                           .scale = Scale::kLogarithmic,
                           .series = {},
                           .across = across,
                           .logarithmic_across = true};
      const auto all = [](const Row&) { return true; };
      add(figure, {"rank 0", points_of(table, across, measure, all), 0, Stroke::kSolid});
      const std::string of_dealer = fmt::format("{}, dealer", measure.figure);
      Measure dealer = measure;
      dealer.figure = of_dealer.c_str();
      add(figure, {"the dealer", points_of(table, across, dealer, all), 7, Stroke::kDotted});
      figures.emplace_back(std::move(figure));
    }
    figures.push_back(errors_of(table, across, numbers));
  }
  return figures;
}

std::optional<double> bytes_of(const std::string& text) {
  const std::size_t space = text.find(' ');
  const auto value = number(text.substr(0, space));
  if (!value || space == std::string::npos) return std::nullopt;
  const std::string unit = text.substr(space + 1);
  return *value * (unit == "MiB" ? 1 << 20 : unit == "KiB" ? 1 << 10 : 1);
}

// Time by size of each algorithm, a figure for each number of parties.
void add_all_reduce(const Table& table, std::vector<Figure>& figures) {
  std::map<double, LineFigure> by_parties;
  for (const Row& row : table.rows) {
    const Samples* time = row.find("time");
    const auto size = bytes_of(row.label("size")), parties = number(row.label("n"));
    if (time == nullptr || !size || !parties) continue;
    LineFigure& figure = by_parties[*parties];
    if (figure.name.empty()) {
      figure = {.name = fmt::format("collectives-{}-{}", file_name(table.name), row.label("n")),
                .title = fmt::format("{}, {} parties", table.name, row.label("n")),
                .quantity = Quantity::kSeconds,
                .scale = Scale::kLogarithmic,
                .series = {},
                .across = "bytes",
                .logarithmic_across = true};
    }
    const std::string algorithm = row.label("algorithm");
    auto series = std::find_if(figure.series.begin(), figure.series.end(),
                               [&](const Series& one) { return one.name == algorithm; });
    if (series == figure.series.end()) {
      const int colour = static_cast<int>(figure.series.size());
      series = figure.series.insert(figure.series.end(), {algorithm, {}, colour, Stroke::kSolid});
    }
    series->points.push_back({*size, time->median() * 1e-3});
  }
  for (auto& [parties, figure] : by_parties) figures.emplace_back(std::move(figure));
}

std::vector<Figure> figures_of_collectives(const Measurements& measured) {
  std::vector<Figure> figures;
  for (const Table& table : measured.tables()) {
    if (table.name.starts_with("all-reduce")) add_all_reduce(table, figures);
  }
  return figures;
}

// Figures of attacks by epsilon, with the bound as a line, and of the accuracy by epsilon.
std::vector<Figure> figures_of_privacy(const Measurements& measured) {
  const Table* attacks = measured.find("attacks");
  if (attacks == nullptr) return {};
  const auto line = [&](const char* name, const char* title, Quantity quantity,
                        const std::vector<std::pair<const char*, Stroke>>& figures) {
    LineFigure figure = {.name = name, .title = title, .quantity = quantity, .series = {}, .across = "epsilon"};
    int colour = 0;
    for (const auto& [of, stroke] : figures) {
      const Measure measure{of, "", quantity, 1};
      add(figure, {of, points_of(*attacks, "epsilon", measure, [](const Row&) { return true; }), colour++, stroke});
    }
    return figure;
  };
  return {line("privacy-attacks", "Members found (AUC)", Quantity::kNumber,
               {{"AUC by shadow models", Stroke::kSolid},
                {"AUC by fit", Stroke::kSolid},
                {"AUC at most", Stroke::kDotted},
                {"AUC, untrained model", Stroke::kDashed}}),
          line("privacy-accuracy", "Accuracy", Quantity::kPercent,
               {{"accuracy, trained on", Stroke::kSolid},
                {"accuracy, others", Stroke::kSolid},
                {"commonest class, others", Stroke::kDotted}})};
}

// The mean time of an epoch of the layout 1x1, of each training in the table.
std::map<std::string, double> times_of_one_worker(const Table& table) {
  std::map<std::string, double> times;
  for (const Row& row : table.rows) {
    const Samples* time = row.find(kEpochTime);
    if (time != nullptr && row.label("layout") == "1x1") times.try_emplace(row.label("training"), time->median());
  }
  return times;
}

// Time, accuracy and price of each layout; and speed-ups beside the published ones. The base of "package, four GPUs" is
// "package" on one GPU.
std::vector<Figure> figures_of_data_parallel(const Measurements& measured) {
  const Table* layouts = measured.find("layouts");
  if (layouts == nullptr) return {};
  BarFigure speed_ups = bars(*layouts, "data-parallel-speed-up", "Speed-up over one worker",
                             {"speed-up", "Speed-up", Quantity::kNumber, 1}, {"layout"});
  for (BarFigure::Bar& bar : speed_ups.bars) bar.name = "Tacit, " + bar.name;
  for (const Measurements& other : others("data-parallel")) {
    const Table& table = other.tables().front();
    const std::map<std::string, double> one = times_of_one_worker(table);
    for (const Row& row : table.rows) {
      const Samples* time = row.find(kEpochTime);
      const std::string training = row.label("training");
      const auto base = one.find(training.substr(0, training.find(',')));
      if (time == nullptr || base == one.end() || time->median() <= 0) continue;
      speed_ups.bars.push_back({fmt::format("{}, {}", training, row.label("layout")), {base->second / time->median()}});
    }
  }
  return {bars(*layouts, "data-parallel-time", "Time per epoch", kTimeOfEpoch, {"layout"}), std::move(speed_ups),
          bars(*layouts, "data-parallel-accuracy", "Accuracy on test rows",
               {"test accuracy", "Test accuracy", Quantity::kPercent, 1}, {"layout"}),
          bars(*layouts, "data-parallel-all-reduce", "Time in the all-reduce",
               {"all-reduce", "Of an epoch", Quantity::kPercent, 1}, {"layout"}),
          bars(*layouts, "data-parallel-price", "Price of the training", {"price", "Price", Quantity::kNumber, 1},
               {"layout"})};
}

std::vector<Figure> figures_of_divergence(const Measurements& measured) { return {divergence_figure(measured)}; }

}  // namespace

std::vector<Figure> figures_of(const Measurements& measured) {
  const std::map<std::string, std::vector<Figure> (*)(const Measurements&)> makers = {
      {"scaling", figures_of_scaling},       {"two-machine", figures_of_two_machine},
      {"accuracy", figures_of_accuracy},     {"breakdown", figures_of_breakdown},
      {"sweep", figures_of_sweep},           {"collectives", figures_of_collectives},
      {"privacy", figures_of_privacy},       {"data-parallel", figures_of_data_parallel},
      {"divergence", figures_of_divergence}, {"gradients", gradient_figures}};
  const auto maker = makers.find(measured.bench());
  return maker == makers.end() ? std::vector<Figure>() : maker->second(measured);
}

}  // namespace tacit::launcher
