#include "launcher/report/run_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacit::launcher {

namespace {

using Stroke = Series::Stroke;
using Scale = LineFigure::Scale;

constexpr std::size_t kMostLines = 8;  // of parties, one by one
constexpr const char* kRank = "rank ";

// "ranks 0 to 2" of "rank 0", "rank 1" and "rank 2".
std::string common_name(const std::vector<std::string>& names) {
  std::vector<int> numbers;
  for (const std::string& name : names) {
    if (!name.starts_with(kRank)) return fmt::format("{} and {} more", names.front(), names.size() - 1);
    numbers.push_back(std::stoi(name.substr(5)));
  }
  const bool row = numbers.back() - numbers.front() == static_cast<int>(numbers.size()) - 1;
  if (row && numbers.size() > 2) return fmt::format("ranks {} to {}", numbers.front(), numbers.back());
  std::string text = "ranks";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : i + 1 == numbers.size() ? " and " : ", ", numbers[i]);
  }
  return text;
}

// Of many parties: the least, the median and the most of each epoch.
std::vector<Series> spread(const std::vector<Series>& series) {
  std::map<double, std::vector<double>> values;
  for (const Series& one : series) {
    for (const Point& point : one.points) values[point.x].push_back(point.y);
  }
  std::vector<Series> lines = {{"most of a party", {}, 1, Stroke::kSolid},
                               {"median of the parties", {}, 0, Stroke::kSolid},
                               {"least of a party", {}, 2, Stroke::kSolid}};
  for (const auto& [epoch, its] : values) {
    lines[0].points.push_back({epoch, *std::max_element(its.begin(), its.end())});
    lines[1].points.push_back({epoch, *median(its)});
    lines[2].points.push_back({epoch, *std::min_element(its.begin(), its.end())});
  }
  return lines;
}

// The dealer runs ahead until it may not, then deals for many epochs at once: its own epochs tell nothing, their mean
// does.
Series evened(Series series) {
  constexpr std::size_t kParts = 50, kFew = 100;
  if (series.points.size() < kFew) return series;
  const std::size_t together = series.points.size() / kParts;
  std::vector<Point> means;
  for (std::size_t begin = 0; begin + together <= series.points.size(); begin += together) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + together; ++i) sum += series.points[i].y;
    means.push_back({series.points[begin + together / 2].x, sum / static_cast<double>(together)});
  }
  series.points = std::move(means);
  series.name += fmt::format(", mean of {} epochs", together);
  return series;
}

LineFigure by_rank(const RunAccount& run, const EpochMeasure& measure) {
  std::vector<Series> parties, dealer;
  for (const RankAccount& account : run.ranks) {
    std::vector<Point> points = points_of(account, measure);
    if (points.empty()) continue;
    if (account.role == "dealer") {
      const std::int64_t last_epoch = last_epoch_of_parties(run);
      if (last_epoch > 0)
        std::erase_if(points, [&](const Point& point) { return point.x > static_cast<double>(last_epoch); });
      Series its = {name_of_rank(account), std::move(points), 7, Stroke::kDotted};
      dealer.push_back(measure.name == "memory" ? std::move(its) : evened(std::move(its)));
    } else {
      parties.push_back({name_of_rank(account), std::move(points), static_cast<int>(parties.size()), Stroke::kSolid});
    }
  }
  parties = parties.size() > kMostLines ? spread(parties) : merged(std::move(parties), common_name);
  parties.insert(parties.end(), dealer.begin(), dealer.end());
  return {measure.name, measure.title, measure.quantity, Scale::kFromZero, std::move(parties)};
}

// The word after the part: "rmse" of "test rmse".
std::string metric_of(const std::string& what) { return what.substr(what.rfind(' ') + 1); }

// What may be the name of a file, of any text.
std::string file_name_of(std::string what) {
  for (char& c : what) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = '-';
  }
  return "metric-" + what;
}

std::vector<Figure> learning_of(const RunAccount& run) {
  const RankAccount& teller = run.teller();
  std::vector<Figure> figures;
  LineFigure loss = {"loss", "Training loss", Quantity::kNumber, Scale::kLogarithmic, {}};
  loss.series.push_back({"on shares", losses_of(teller), 0, Stroke::kSolid});
  if (run.plain) loss.series.push_back({"on plain data", losses_of(*run.plain), kPlain, Stroke::kDashed});
  figures.emplace_back(std::move(loss));
  std::vector<LineFigure> metrics;
  for (const std::string& what : kinds_of_readings(teller)) {
    const std::string metric = metric_of(what);
    auto figure =
        std::find_if(metrics.begin(), metrics.end(), [&](const LineFigure& one) { return one.title == metric; });
    if (figure == metrics.end()) {
      figure = metrics.insert(metrics.end(), {file_name_of(metric), metric, Quantity::kNumber, Scale::kFitting, {}});
    }
    const int colour = static_cast<int>(figure->series.size());
    figure->series.push_back({what, readings_of(teller, what), colour, Stroke::kSolid});
  }
  for (LineFigure& figure : metrics) {
    const bool curve = std::any_of(figure.series.begin(), figure.series.end(),
                                   [](const Series& series) { return series.points.size() > 1; });
    if (!curve) continue;  // one reading at the end is in the table
    const std::size_t on_shares = figure.series.size();
    for (std::size_t i = 0; run.plain && i < on_shares; ++i) {
      const std::string what = figure.series[i].name;
      std::vector<Point> points = readings_of(*run.plain, what);
      if (!points.empty()) figure.series.push_back({what + ", plain data", std::move(points), kPlain, Stroke::kDashed});
    }
    figures.emplace_back(std::move(figure));
  }
  return figures;
}

// Of all parties together what travels between them; what is dealt is the same in each party's account.
BarFigure protocols_of(const RunAccount& run) {
  BarFigure figure = {
      "protocols", "Cost by protocol, as stated", Quantity::kBytes, {"between the parties", "from the dealer"}, {}};
  for (const RankAccount& account : run.ranks) {
    for (const ToldCost& cost : account.stated_by_protocol) {
      auto bar = std::find_if(figure.bars.begin(), figure.bars.end(),
                              [&](const BarFigure::Bar& one) { return one.name == cost.protocol; });
      if (bar == figure.bars.end()) bar = figure.bars.insert(figure.bars.end(), {cost.protocol, {0, 0}});
      bar->values[0] += static_cast<double>(cost.cost.bytes);
      bar->values[1] = std::max(bar->values[1], static_cast<double>(cost.cost.dealt_bytes));
    }
  }
  const auto total = [](const BarFigure::Bar& bar) { return bar.values[0] + bar.values[1]; };
  std::stable_sort(figure.bars.begin(), figure.bars.end(),
                   [&](const BarFigure::Bar& a, const BarFigure::Bar& b) { return total(a) > total(b); });
  std::erase_if(figure.bars, [&](const BarFigure::Bar& bar) { return total(bar) == 0; });
  return figure;
}

// What a rank's sessions spent in each phase, the names in the order in which they are met.
std::vector<ToldPhase> phases_of(const RankAccount& account) {
  std::vector<ToldPhase> all;
  const auto add = [&](const ToldPhase& phase) {
    auto known = std::find_if(all.begin(), all.end(), [&](const ToldPhase& one) { return one.name == phase.name; });
    if (known == all.end()) known = all.insert(all.end(), {phase.name, 0, 0, 0, 0});
    known->seconds += phase.seconds;
    known->bytes_sent = std::min(known->bytes_sent + phase.bytes_sent, std::int64_t{1} << 60);
  };
  for (const ToldSession& session : account.sessions) {
    bool trained = false;
    for (const ToldPhase& phase : session.phases) {
      trained |= phase.name == session.training.name;
      add(phase);
    }
    if (!trained && session.epochs > 0) add(session.training);  // it was lost meanwhile
  }
  return all;
}

BarFigure by_phase(const RunAccount& run, const std::string& name, const std::string& title, Quantity quantity,
                   double (*of)(const ToldPhase&)) {
  constexpr std::size_t kMostBars = 17, kMostKinds = kColours;
  BarFigure figure = {name, title, quantity, {}, {}};
  for (const RankAccount& account : run.ranks) {
    if (figure.bars.size() == kMostBars) break;
    BarFigure::Bar bar{name_of_rank(account), {}};
    for (const ToldPhase& phase : phases_of(account)) {
      auto kind = std::find(figure.kinds.begin(), figure.kinds.end(), phase.name);
      if (kind == figure.kinds.end()) {
        if (figure.kinds.size() == kMostKinds) continue;
        kind = figure.kinds.insert(figure.kinds.end(), phase.name);
      }
      bar.values.resize(figure.kinds.size());
      bar.values[static_cast<std::size_t>(kind - figure.kinds.begin())] += of(phase);
    }
    figure.bars.push_back(std::move(bar));
  }
  for (BarFigure::Bar& bar : figure.bars) bar.values.resize(figure.kinds.size());
  return figure;
}

// A line for each run; colours come again with another stroke.
Series series_of(const RunAccount& run, std::size_t index, std::vector<Point> points) {
  constexpr Stroke kStrokes[] = {Stroke::kSolid, Stroke::kDashed, Stroke::kDotted};
  return {run.label, std::move(points), static_cast<int>(index) % kColours, kStrokes[index / kColours % 3]};
}

template <typename PointsOf>
LineFigure compared(const std::vector<RunAccount>& runs, LineFigure figure, const PointsOf& points_of_run) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<Point> points = points_of_run(runs[i]);
    if (!points.empty()) figure.series.push_back(series_of(runs[i], i, std::move(points)));
  }
  return figure;
}

std::vector<std::string> all_kinds(const std::vector<RunAccount>& runs) {
  std::vector<std::string> kinds;
  for (const RunAccount& run : runs) {
    for (const std::string& what : kinds_of_readings(run.teller())) {
      if (std::find(kinds.begin(), kinds.end(), what) == kinds.end()) kinds.push_back(what);
    }
  }
  return kinds;
}

}  // namespace

std::string name_of_rank(const RankAccount& account) {
  return account.role == "dealer" ? "dealer" : fmt::format("{}{}", kRank, account.rank);
}

RunFigures figures_of(const RunAccount& run) {
  RunFigures figures;
  figures.learning = learning_of(run);
  for (const EpochMeasure& measure : epoch_measures()) figures.epochs.emplace_back(by_rank(run, measure));
  figures.protocols.emplace_back(protocols_of(run));
  figures.phases.emplace_back(by_phase(run, "phases-time", "Time by phase", Quantity::kSeconds,
                                       [](const ToldPhase& phase) { return phase.seconds; }));
  figures.phases.emplace_back(by_phase(run, "phases-bytes", "Bytes sent by phase", Quantity::kBytes,
                                       [](const ToldPhase& phase) { return static_cast<double>(phase.bytes_sent); }));
  return figures;
}

ComparedFigures figures_of(const std::vector<RunAccount>& runs) {
  ComparedFigures figures;
  figures.learning.emplace_back(compared(runs, {"loss", "Training loss", Quantity::kNumber, Scale::kLogarithmic, {}},
                                         [](const RunAccount& run) { return losses_of(run.teller()); }));
  for (const std::string& what : all_kinds(runs)) {
    LineFigure figure = compared(runs, {file_name_of(what), what, Quantity::kNumber, Scale::kFitting, {}},
                                 [&](const RunAccount& run) { return readings_of(run.teller(), what); });
    const bool curve = std::any_of(figure.series.begin(), figure.series.end(),
                                   [](const Series& series) { return series.points.size() > 1; });
    if (curve) figures.learning.emplace_back(std::move(figure));
  }
  for (const EpochMeasure& measure : epoch_measures()) {
    const std::string title = measure.title + (measure.adds_up ? ", all ranks" : ", largest of a rank");
    figures.epochs.emplace_back(compared(runs, {measure.name, title, measure.quantity, Scale::kFromZero, {}},
                                         [&](const RunAccount& run) { return points_of(run, measure); }));
  }
  return figures;
}

}  // namespace tacit::launcher
