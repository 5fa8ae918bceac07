#include "launcher/report/figure.h"

#include <algorithm>

namespace tacit::launcher {

namespace {

bool same(const Series& a, const Series& b) {
  if (a.stroke != b.stroke) return false;
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const Point& one, const Point& other) { return one.x == other.x && one.y == other.y; });
}

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kNumber:
      return "number";
    case Quantity::kCount:
      return "count";
    case Quantity::kBytes:
      return "bytes";
    case Quantity::kSeconds:
      return "seconds";
    case Quantity::kPercent:
      return "percent";
  }
  return "";
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

}  // namespace

const std::string& name_of(const Figure& figure) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, figure);
}

bool is_empty(const Figure& figure) {
  if (const auto* lines = std::get_if<LineFigure>(&figure)) {
    return std::all_of(lines->series.begin(), lines->series.end(),
                       [](const Series& one) { return one.points.empty(); });
  }
  const auto& bars = std::get<BarFigure>(figure).bars;
  return std::all_of(bars.begin(), bars.end(), [](const BarFigure::Bar& bar) {
    return std::all_of(bar.values.begin(), bar.values.end(), [](double value) { return value == 0; });
  });
}

Json json_of(const Figure& figure) {
  const auto* lines = std::get_if<LineFigure>(&figure);
  return lines != nullptr ? json_of_lines(*lines) : json_of_bars(std::get<BarFigure>(figure));
}

std::vector<Series> merged(std::vector<Series> series, std::string (*name)(const std::vector<std::string>& names)) {
  std::vector<Series> distinct;
  std::vector<std::vector<std::string>> names;
  for (Series& one : series) {
    const auto twin =
        std::find_if(distinct.begin(), distinct.end(), [&](const Series& other) { return same(one, other); });
    if (twin != distinct.end()) {
      names[static_cast<std::size_t>(twin - distinct.begin())].push_back(one.name);
      continue;
    }
    names.push_back({one.name});
    distinct.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (names[i].size() > 1) distinct[i].name = name(names[i]);
  }
  return distinct;
}

}  // namespace tacit::launcher
