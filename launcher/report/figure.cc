#include "launcher/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "launcher/untrusted_text.h"

namespace tacit::launcher {

namespace {

const char* name_of(Quantity quantity) {
  constexpr const char* kNames[] = {"number", "count", "bytes", "seconds", "percent"};
  return kNames[static_cast<int>(quantity)];
}

const char* name_of(Series::Stroke stroke) {
  constexpr const char* kNames[] = {"solid", "dashed", "dotted"};
  return kNames[static_cast<int>(stroke)];
}

// Six digits: more cannot be seen, and would double the page.
double six_digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  std::from_chars(text, end, value);
  return value;
}

std::vector<double> places_of(const LineFigure& figure) {
  std::set<double> places;
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) places.insert(point.x);
  }
  return {places.begin(), places.end()};
}

// A series at some places of the horizontal axis. Each place stands for `together` places of the figure.
class AtPlaces {
 public:
  AtPlaces(const LineFigure& figure, const std::vector<double>& places, std::size_t together) {
    for (std::size_t begin = 0; begin < places.size(); begin += together) {
      const std::size_t end = std::min(places.size(), begin + together);
      ends_.push_back(places[end - 1]);
      x_.push_back(six_digits((places[begin] + places[end - 1]) / 2));
    }
    for (const Series& one : figure.series) series_.push_back(json_of(one));
  }

  Json x() { return std::move(x_); }
  Json series() { return std::move(series_); }

 private:
  Json json_of(const Series& series) const {
    std::vector<Json> y(ends_.size()), low(ends_.size()), high(ends_.size());
    bool band = false;
    for (std::size_t i = 0; i < series.points.size();) {
      const auto place =
          static_cast<std::size_t>(std::lower_bound(ends_.begin(), ends_.end(), series.points[i].x) - ends_.begin());
      std::vector<double> values, lows, highs;
      for (; i < series.points.size() && series.points[i].x <= ends_[place]; ++i) {
        const double value = series.points[i].y;
        const double around = series.deviation.empty() ? 0 : series.deviation[i];
        values.push_back(value);
        lows.push_back(value - around);
        highs.push_back(value + around);
      }
      y[place] = six_digits(*median(values));
      low[place] = six_digits(*std::min_element(lows.begin(), lows.end()));
      high[place] = six_digits(*std::max_element(highs.begin(), highs.end()));
      band |= low[place] != high[place];
    }
    Json json = {
        {"name", displayable(series.name)}, {"colour", series.colour}, {"stroke", name_of(series.stroke)}, {"y", y}};
    if (band) json.update({{"low", low}, {"high", high}});
    return json;
  }

  std::vector<double> ends_;  // the last place of each bucket
  Json x_ = Json::array(), series_ = Json::array();
};

std::vector<double> values_of(const LineFigure& figure) {
  std::vector<double> values;
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) values.push_back(point.y);
  }
  return values;
}

bool spans_a_decade(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least > 0 && *most >= 10 * *least;
}

Json page_json_of(const LineFigure& figure) {
  const std::vector<double> places = places_of(figure);
  const std::size_t together = places.size() <= kMostPlaces ? 1 : (places.size() + kBuckets - 1) / kBuckets;
  AtPlaces at(figure, places, together);
  Json json = {{"title", displayable(figure.title)},
               {"quantity", name_of(figure.quantity)},
               {"across", displayable(figure.across)},
               {"across_quantity", figure.across == "bytes" ? "bytes" : "count"},
               {"log_across", figure.logarithmic_across},
               {"from_zero", figure.scale == LineFigure::Scale::kFromZero},
               {"log", figure.scale == LineFigure::Scale::kLogarithmic && spans_a_decade(values_of(figure))},
               {"together", together},
               {"x", at.x()},
               {"series", at.series()}};
  if (const auto peak = peak_of(figure)) json["top"] = six_digits(peak->top);
  for (const LineFigure::Mark& mark : figure.marks) {
    json["marks"].push_back({{"x", mark.x}, {"text", displayable(mark.text)}});
  }
  return json;
}

Json page_json_of(const BarFigure& figure) {
  Json json = {{"title", displayable(figure.title)},
               {"quantity", name_of(figure.quantity)},
               {"kinds", Json::array()},
               {"bars", Json::array()},
               {"log", figure.logarithmic}};
  for (const std::string& kind : figure.kinds) json["kinds"].push_back(displayable(kind));
  for (const BarFigure::Bar& bar : figure.bars) {
    json["bars"].push_back({{"name", displayable(bar.name)}, {"values", bar.values}});
  }
  return json;
}

Json json_of_lines(const LineFigure& figure) {
  Json json = {{"name", figure.name},
               {"title", figure.title},
               {"quantity", name_of(figure.quantity)},
               {"series", Json::array()}};
  for (const Series& one : figure.series) {
    Json x = Json::array(), y = Json::array();
    for (const Point& point : one.points) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
    json["series"].push_back({{"name", one.name}, {figure.across, std::move(x)}, {"value", std::move(y)}});
    if (!one.deviation.empty()) json["series"].back()["deviation"] = one.deviation;
  }
  return json;
}

Json json_of_bars(const BarFigure& figure) {
  Json json = {{"name", figure.name},
               {"title", figure.title},
               {"quantity", name_of(figure.quantity)},
               {"kinds", figure.kinds},
               {"bars", Json::array()}};
  for (const BarFigure::Bar& bar : figure.bars) json["bars"].push_back({{"name", bar.name}, {"values", bar.values}});
  return json;
}

// A row for each place, a cell for each series; a place that a series lacks has no text.
template <typename TextOf, typename PlaceText>
std::vector<TextRow> rows_by_place(const LineFigure& figure, const TextOf& text_of, const PlaceText& place_text) {
  std::map<double, TextRow> rows;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    for (const Point& point : figure.series[i].points) {
      TextRow& row = rows[point.x];
      row.resize(figure.series.size() + 1);
      row[0] = place_text(point.x);
      row[i + 1] = text_of(point.y);
    }
  }
  std::vector<TextRow> table = {{figure.across}};
  for (const Series& series : figure.series) table.front().push_back(series.name);
  for (auto& [place, row] : rows) table.push_back(std::move(row));
  return table;
}

std::vector<TextRow> table_of_lines(const LineFigure& figure) {
  constexpr std::size_t kFewPlaces = 16;
  const auto text = [&](double value) { return text_of(figure.quantity, value); };
  if (places_of(figure).size() <= kFewPlaces) {
    return rows_by_place(figure, text, [](double place) { return text_of(Quantity::kCount, place); });
  }
  std::vector<TextRow> table = {{"", "points", "first", "minimum", "median", "maximum", "last"}};
  for (const Series& series : figure.series) {
    if (series.points.empty()) continue;
    std::vector<double> values;
    for (const Point& point : series.points) values.push_back(point.y);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    table.push_back({series.name, grouped(std::ssize(values)), text(values.front()), text(*least),
                     text(*median(values)), text(*most), text(values.back())});
  }
  return table;
}

std::vector<TextRow> table_of_bars(const BarFigure& figure) {
  std::vector<TextRow> table = {{""}};
  table.front().insert(table.front().end(), figure.kinds.begin(), figure.kinds.end());
  for (const BarFigure::Bar& bar : figure.bars) {
    TextRow row = {bar.name};
    for (const double value : bar.values) row.push_back(text_of(figure.quantity, value));
    table.push_back(std::move(row));
  }
  return table;
}

std::vector<TextRow> numbers_of(const BarFigure& figure) {
  std::vector<TextRow> table = {{"name"}};
  table.front().insert(table.front().end(), figure.kinds.begin(), figure.kinds.end());
  for (const BarFigure::Bar& bar : figure.bars) {
    TextRow row = {bar.name};
    for (const double value : bar.values) row.push_back(fmt::format("{}", value));
    table.push_back(std::move(row));
  }
  return table;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted;
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return '"' + quoted + '"';
}

}  // namespace

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

const std::string& name_of(const Figure& figure) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, figure);
}

const std::string& title_of(const Figure& figure) {
  return std::visit([](const auto& one) -> const std::string& { return one.title; }, figure);
}

bool is_empty(const Figure& figure) {
  if (const auto* lines = std::get_if<LineFigure>(&figure)) {
    return std::all_of(lines->series.begin(), lines->series.end(),
                       [](const Series& one) { return one.points.empty(); });
  }
  if (const auto* cells = std::get_if<CellFigure>(&figure)) return has_no_cell(*cells);
  const auto& bars = std::get<BarFigure>(figure).bars;
  return std::all_of(bars.begin(), bars.end(), [](const BarFigure::Bar& bar) {
    return std::all_of(bar.values.begin(), bar.values.end(), [](double value) { return value == 0; });
  });
}

Json page_json(const Figure& figure) {
  return std::visit([](const auto& one) { return page_json_of(one); }, figure);
}

Json json_of(const Figure& figure) {
  if (const auto* lines = std::get_if<LineFigure>(&figure)) return json_of_lines(*lines);
  if (const auto* cells = std::get_if<CellFigure>(&figure)) return json_of_cells(*cells);
  return json_of_bars(std::get<BarFigure>(figure));
}

std::string csv_of(const Figure& figure) {
  const auto number = [](double value) { return fmt::format("{}", value); };
  std::vector<TextRow> rows;
  if (const auto* lines = std::get_if<LineFigure>(&figure)) rows = rows_by_place(*lines, number, number);
  if (const auto* bars = std::get_if<BarFigure>(&figure)) rows = numbers_of(*bars);
  if (const auto* cells = std::get_if<CellFigure>(&figure)) rows = kinds_of_cells(*cells);
  std::string csv;
  for (const TextRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) csv += (i == 0 ? "" : ",") + csv_cell(row[i]);
    csv += '\n';
  }
  return csv;
}

std::vector<TextRow> table_of(const Figure& figure) {
  if (const auto* lines = std::get_if<LineFigure>(&figure)) return table_of_lines(*lines);
  if (const auto* cells = std::get_if<CellFigure>(&figure)) return table_of_cells(*cells);
  return table_of_bars(std::get<BarFigure>(figure));
}

std::optional<Peak> peak_of(const LineFigure& figure) {
  constexpr std::size_t kFewPoints = 50;
  constexpr double kMuchMore = 2.5;  // than 98 of 100 points
  std::vector<double> values = values_of(figure);
  if (figure.scale != LineFigure::Scale::kFromZero || values.size() < kFewPoints) return std::nullopt;
  const auto usual = values.begin() + static_cast<std::ptrdiff_t>(values.size() - values.size() / 50 - 1);
  std::nth_element(values.begin(), usual, values.end());
  const double most = *std::max_element(usual, values.end());
  if (*usual <= 0 || most <= kMuchMore * *usual) return std::nullopt;
  double place = 0;
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) {
      if (point.y == most) place = point.x;
    }
  }
  return Peak{1.3 * *usual, fmt::format("Beyond the scale: {} in {} {}.", text_of(figure.quantity, most), figure.across,
                                        text_of(Quantity::kCount, place))};
}

}  // namespace tacit::launcher
