#include "launcher/report/run_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacit::launcher {

namespace {

using Stroke = Series::Stroke;
using Scale = LineFigure::Scale;

constexpr std::size_t kMostLines = 8;  // parties that are drawn one by one
constexpr int kDealerColour = 7;
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

bool same_line(const Series& a, const Series& b) {
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const Point& one, const Point& other) { return one.x == other.x && one.y == other.y; });
}

// Ranks that measured the same in every epoch share one line: "ranks 0 to 2".
std::vector<Series> merged(std::vector<Series> series) {
  std::vector<Series> distinct;
  std::vector<std::vector<std::string>> names;
  for (Series& one : series) {
    const auto twin =
        std::find_if(distinct.begin(), distinct.end(), [&](const Series& other) { return same_line(one, other); });
    if (twin == distinct.end()) {
      names.push_back({one.name});
      distinct.push_back(std::move(one));
    } else {
      names[static_cast<std::size_t>(twin - distinct.begin())].push_back(one.name);
    }
  }
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (names[i].size() > 1) distinct[i].name = common_name(names[i]);
  }
  return distinct;
}

// Replaces the lines of many parties by the minimum, the median and the maximum of each epoch.
std::vector<Series> spread(const std::vector<Series>& series) {
  std::map<double, std::vector<double>> values;
  for (const Series& one : series) {
    for (const Point& point : one.points) values[point.x].push_back(point.y);
  }
  std::vector<Series> lines = {
      {"maximum of the parties", {}, 1}, {"median of the parties", {}, 0}, {"minimum of the parties", {}, 2}};
  for (const auto& [epoch, its] : values) {
    lines[0].points.push_back({epoch, *std::max_element(its.begin(), its.end())});
    lines[1].points.push_back({epoch, *median(its)});
    lines[2].points.push_back({epoch, *std::min_element(its.begin(), its.end())});
  }
  return lines;
}

// The dealer runs ahead until its buffer is full, then deals for many epochs at once: means over several epochs show
// its cost, single epochs do not.
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
    if (account.role != "dealer") {
      parties.push_back({name_of_rank(account), std::move(points), static_cast<int>(parties.size())});
      continue;
    }
    if (const std::int64_t last = last_epoch_of_parties(run); last > 0) {
      std::erase_if(points, [&](const Point& point) { return point.x > static_cast<double>(last); });
    }
    Series its = {name_of_rank(account), std::move(points), kDealerColour, Stroke::kDotted};
    dealer.push_back(measure.name == "memory" ? std::move(its) : evened(std::move(its)));
  }
  parties = parties.size() > kMostLines ? spread(parties) : merged(std::move(parties));
  parties.insert(parties.end(), dealer.begin(), dealer.end());
  return {measure.name, measure.title, measure.quantity, Scale::kFromZero, std::move(parties)};
}

// The word after the part: "rmse" of "test rmse".
std::string metric_of(const std::string& what) { return what.substr(what.rfind(' ') + 1); }

// "f1 of fraud" of "test f1 of fraud".
std::string without_part(const std::string& shown) { return shown.substr(shown.find(' ') + 1); }

// "metric-rmse", of any text.
std::string file_name_of(std::string what) {
  for (char& c : what) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = '-';
  }
  return "metric-" + what;
}

// One reading at the end stands in a table, and is no curve.
bool is_curve(const LineFigure& figure) {
  return std::any_of(figure.series.begin(), figure.series.end(),
                     [](const Series& series) { return series.points.size() > 1; });
}

LineFigure loss_figure() { return {"loss", "Training loss", Quantity::kNumber, Scale::kLogarithmic, {}}; }

LineFigure metric_figure(const std::string& what) {
  return {file_name_of(what), what, Quantity::kNumber, Scale::kFitting, {}};
}

// Marks at the epoch where training stopped early, and at the best model if it is the result.
std::vector<LineFigure::Mark> marks_of(const RankAccount& account) {
  std::vector<LineFigure::Mark> marks;
  if (account.best) marks.push_back({static_cast<double>(account.best->epoch), "best model"});
  if (account.epochs.empty()) return marks;
  const std::int64_t last = account.epochs.rbegin()->first;
  if (!account.stopped.empty() && last < account.epochs_planned)
    marks.push_back({static_cast<double>(last), "stopped"});
  return marks;
}

// A figure for each metric, with a line for each part of the nodes.
std::vector<Figure> learning_of(const RunAccount& run) {
  const RankAccount& teller = run.teller();
  LineFigure loss = loss_figure();
  loss.series.push_back({"on shares", losses_of(teller), 0});
  if (run.plain) loss.series.push_back({"on plain data", losses_of(*run.plain), kPlainColour, Stroke::kDashed});
  loss.marks = marks_of(teller);
  std::vector<std::pair<LineFigure, std::vector<std::string>>> metrics;  // and the metric of each line
  for (const std::string& what : kinds_of_readings(teller)) {
    const std::string name = file_name_of(metric_of(what)), shown = shown_kind(teller, what);
    auto metric = std::find_if(metrics.begin(), metrics.end(), [&](const auto& one) { return one.first.name == name; });
    if (metric == metrics.end()) {
      metric = metrics.insert(metrics.end(), {metric_figure(metric_of(what)), {}});
      metric->first.title = without_part(shown);
      metric->first.marks = marks_of(teller);
    }
    std::vector<Series>& series = metric->first.series;
    series.push_back({shown, readings_of(teller, what), static_cast<int>(series.size())});
    metric->second.push_back(what);
  }
  std::vector<Figure> figures = {std::move(loss)};
  for (auto& [figure, kinds] : metrics) {
    if (!is_curve(figure)) continue;
    for (std::size_t i = 0; run.plain && i < kinds.size(); ++i) {
      std::vector<Point> points = readings_of(*run.plain, kinds[i]);
      if (points.empty()) continue;
      figure.series.push_back(
          {figure.series[i].name + ", plain data", std::move(points), kPlainColour, Stroke::kDashed});
    }
    figures.emplace_back(std::move(figure));
  }
  return figures;
}

// The bytes between parties add up; each party states all dealt bytes. Without a dealer, a part of the bytes between parties makes
// the correlations.
BarFigure protocols_of(const RunAccount& run) {
  const bool pairwise = run.is_pairwise();
  BarFigure figure = {
      "protocols",
      "Cost by protocol, as stated",
      Quantity::kBytes,
      {pairwise ? "computing" : "between the parties", pairwise ? "making correlations" : "from the dealer"},
      {}};
  for (const RankAccount& account : run.ranks) {
    for (const ToldCost& cost : account.stated_by_protocol) {
      auto bar = std::find_if(figure.bars.begin(), figure.bars.end(),
                              [&](const BarFigure::Bar& one) { return one.name == cost.protocol; });
      if (bar == figure.bars.end()) bar = figure.bars.insert(figure.bars.end(), {cost.protocol, {0, 0}});
      // A file of another machine may have any numbers.
      const std::int64_t made = std::min(cost.cost.made_bytes, cost.cost.bytes);
      bar->values[0] += static_cast<double>(cost.cost.bytes - (pairwise ? made : 0));
      bar->values[1] = pairwise ? bar->values[1] + static_cast<double>(made)
                                : std::max(bar->values[1], static_cast<double>(cost.cost.dealt_bytes));
    }
  }
  const auto total = [](const BarFigure::Bar& bar) { return bar.values[0] + bar.values[1]; };
  std::stable_sort(figure.bars.begin(), figure.bars.end(),
                   [&](const BarFigure::Bar& a, const BarFigure::Bar& b) { return total(a) > total(b); });
  std::erase_if(figure.bars, [&](const BarFigure::Bar& bar) { return total(bar) == 0; });
  return figure;
}

// The phases of all sessions of a rank. A lost session has no training phase; the sum of its epochs replaces the phase.
std::vector<ToldPhase> phases_of(const RankAccount& account) {
  std::vector<ToldPhase> all;
  for (const ToldSession& session : account.sessions) {
    all.insert(all.end(), session.phases.begin(), session.phases.end());
    const bool trained = std::any_of(session.phases.begin(), session.phases.end(),
                                     [&](const ToldPhase& one) { return one.name == session.training.name; });
    if (!trained && session.epochs > 0) all.push_back(session.training);
  }
  return all;
}

BarFigure by_phase(const RunAccount& run, const std::string& name, const std::string& title, Quantity quantity,
                   double (*of)(const ToldPhase&)) {
  constexpr std::size_t kMostBars = 17, kMostKinds = 8;
  BarFigure figure = {name, title, quantity, {}, {}};
  for (const RankAccount& account : run.ranks) {
    if (figure.bars.size() == kMostBars) break;
    std::vector<double> values(kMostKinds);
    for (const ToldPhase& phase : phases_of(account)) {
      auto kind = std::find(figure.kinds.begin(), figure.kinds.end(), phase.name);
      if (kind == figure.kinds.end() && figure.kinds.size() == kMostKinds) continue;
      if (kind == figure.kinds.end()) kind = figure.kinds.insert(figure.kinds.end(), phase.name);
      values[static_cast<std::size_t>(kind - figure.kinds.begin())] += of(phase);
    }
    figure.bars.push_back({name_of_rank(account), std::move(values)});
  }
  for (BarFigure::Bar& bar : figure.bars) bar.values.resize(figure.kinds.size());
  return figure;
}

// The mean of some runs and its deviation, at the places that all runs have.
Series mean_of(const std::vector<std::vector<Point>>& runs) {
  std::map<double, std::vector<double>> values;
  for (const std::vector<Point>& points : runs) {
    for (const Point& point : points) values[point.x].push_back(point.y);
  }
  Series series;
  for (const auto& [place, its] : values) {
    if (its.size() != runs.size()) continue;
    const MeanAndDeviation told = mean_and_deviation(its);
    series.points.push_back({place, told.mean});
    if (runs.size() > 1) series.deviation.push_back(told.deviation);
  }
  return series;
}

// After the last colour, the colours repeat with another stroke.
template <typename PointsOf>
LineFigure compared(const std::vector<RunGroup>& groups, LineFigure figure, const PointsOf& points_of_run) {
  constexpr Stroke kStrokes[] = {Stroke::kSolid, Stroke::kDashed, Stroke::kDotted};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::vector<std::vector<Point>> lines;
    for (const RunAccount* run : groups[i].runs) {
      if (std::vector<Point> points = points_of_run(*run); !points.empty()) lines.push_back(std::move(points));
    }
    if (lines.empty()) continue;
    Series series = mean_of(lines);
    series.name = groups[i].label;
    series.colour = static_cast<int>(i);
    series.stroke = kStrokes[i / 8 % 3];
    figure.series.push_back(std::move(series));
  }
  return figure;
}

bool differ_in_seed_alone(const RunAccount& a, const RunAccount& b) {
  if (a.settings.empty() || a.settings.size() != b.settings.size() || a.parties() != b.parties()) return false;
  return std::all_of(a.settings.begin(), a.settings.end(), [&](const ToldSetting& one) {
    return one.key == "training.seed" || one.value == b.setting(one.key);
  });
}

// The common beginning of the labels, without a number at its end: "wide" of "wide-1" and "wide-2".
std::string common_label(const std::vector<const RunAccount*>& runs) {
  std::string common = runs.front()->label;
  for (const RunAccount* run : runs) {
    const auto end = std::mismatch(common.begin(), common.end(), run->label.begin(), run->label.end()).first;
    common.erase(end, common.end());
  }
  const std::size_t last = common.find_last_not_of("0123456789-_./ ");
  common.resize(last == std::string::npos ? 0 : last + 1);
  return fmt::format("{}{}{} seeds", common, common.empty() ? "" : ", ", runs.size());
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

std::vector<RunGroup> groups_of(const std::vector<RunAccount>& runs) {
  std::vector<RunGroup> groups;
  for (const RunAccount& run : runs) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const RunGroup& group) {
      return differ_in_seed_alone(*group.runs.front(), run);
    });
    if (same == groups.end()) {
      groups.push_back({run.label, {&run}});
    } else {
      same->runs.push_back(&run);
    }
  }
  for (RunGroup& group : groups) {
    if (group.runs.size() > 1) group.label = common_label(group.runs);
  }
  return groups;
}

std::vector<std::string> kinds_of_readings(const std::vector<RunGroup>& groups) {
  std::vector<std::string> kinds;
  for (const RunGroup& group : groups) {
    for (const RunAccount* run : group.runs) {
      for (const std::string& what : kinds_of_readings(run->teller())) {
        if (std::find(kinds.begin(), kinds.end(), what) == kinds.end()) kinds.push_back(what);
      }
    }
  }
  return kinds;
}

std::string shown_kind(const std::vector<RunGroup>& groups, const std::string& what) {
  for (const RunGroup& group : groups) {
    for (const RunAccount* run : group.runs) {
      if (std::string shown = shown_kind(run->teller(), what); shown != what) return shown;
    }
  }
  return what;
}

ComparedFigures figures_of(const std::vector<RunGroup>& groups) {
  ComparedFigures figures;
  figures.learning.emplace_back(
      compared(groups, loss_figure(), [](const RunAccount& run) { return losses_of(run.teller()); }));
  for (const std::string& what : kinds_of_readings(groups)) {
    LineFigure figure =
        compared(groups, metric_figure(what), [&](const RunAccount& run) { return readings_of(run.teller(), what); });
    figure.title = shown_kind(groups, what);
    if (is_curve(figure)) figures.learning.emplace_back(std::move(figure));
  }
  for (const EpochMeasure& measure : epoch_measures()) {
    const std::string title = measure.title + (measure.adds_up ? ", all ranks" : ", largest of a rank");
    figures.epochs.emplace_back(compared(groups, {measure.name, title, measure.quantity, Scale::kFromZero, {}},
                                         [&](const RunAccount& run) { return points_of(run, measure); }));
  }
  return figures;
}

}  // namespace tacit::launcher
