#include "launcher/launch/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "launcher/counts_text.h"
#include "launcher/launch/summaries.h"
#include "launcher/reading_name.h"
#include "launcher/run/event_log.h"
#include "launcher/run/output_folder.h"
#include "launcher/run_fields.h"
#include "launcher/table.h"
#include "launcher/unit_text.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

struct Figure {
  std::string what;
  double value = 0;
  std::int64_t epoch = 0;
  ToldReading reading = {};
};

void add(const std::vector<ToldReading>& readings, std::int64_t epoch, std::vector<Figure>& figures) {
  for (const ToldReading& one : readings) {
    if (one.what.empty()) continue;
    figures.push_back({net::printable(one.what, kMostOfName), one.value, epoch, one});
  }
}

std::string shown_name(const Figure& figure) {
  ToldReading reading = figure.reading;
  reading.what = figure.what;
  return net::printable(launcher::shown_name(reading), kMostOfShownName);
}

Json readings_of(const std::vector<Figure>& figures) {
  Json readings = Json::array();
  for (const Figure& one : figures) readings.push_back(json_of(one.reading));
  return readings;
}

std::vector<Figure> figures_of(const Json& event) {
  const auto told = struct_in<ToldEpoch>(event);
  std::vector<Figure> figures;
  if (told.loss) figures.push_back({"training loss", *told.loss, told.epoch});
  add(told.readings, told.epoch, figures);
  if (!event.contains("best")) return figures;
  const auto best = struct_in<ToldBest>(event["best"]);
  add(best.readings, best.epoch, figures);
  return figures;
}

// The last value of each figure, in the order of first occurrence.
std::vector<Figure> last_figures(const fs::path& events) {
  std::vector<Figure> last;
  for (const Json& event : EventLog::read(events, {"epoch"})) {
    for (Figure& figure : figures_of(event)) {
      const auto known =
          std::find_if(last.begin(), last.end(), [&](const Figure& one) { return one.what == figure.what; });
      known == last.end() ? last.push_back(std::move(figure)) : void(*known = std::move(figure));
    }
  }
  return last;
}

void add_new(std::vector<Figure>& all, const std::vector<Figure>& more) {
  for (const Figure& figure : more) {
    const auto same = [&](const Figure& one) { return one.what == figure.what; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(figure);
  }
}

std::optional<Figure> find(const std::vector<Figure>& figures, const std::string& what) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& one) { return one.what == what; });
  return found == figures.end() ? std::nullopt : std::optional(*found);
}

std::string cell(const std::optional<Figure>& figure) {
  if (!figure) return "-";
  return fmt::format("{} (epoch {})", figure_text(figure->value), figure->epoch);
}

}  // namespace

bool has_trained(const fs::path& output, int parties) {
  for (int rank = 0; rank < parties; ++rank) {
    if (!EventLog::read(OutputFolder(output, rank).events(), {"afresh", "resumed"}, 1).empty()) return true;
  }
  return false;
}

SideBySide side_by_side(const fs::path& output, int parties) {
  std::vector<Figure> shares;
  for (int rank = 0; rank < parties; ++rank) add_new(shares, last_figures(OutputFolder(output, rank).events()));
  const std::vector<Figure> plain = last_figures(output / "plain" / "events.jsonl");
  std::vector<Figure> all = shares;
  add_new(all, plain);
  SideBySide result{"", Json::array()};
  if (all.empty()) return result;
  std::vector<std::vector<std::string>> rows{{"", "on shares", "on plain data"}};
  for (const Figure& one : all) {
    const std::optional<Figure> own = find(shares, one.what), twin = find(plain, one.what);
    rows.push_back({shown_name(one), cell(own), cell(twin)});
    result.json.push_back({{"what", one.what},
                           {"value", own ? Json(own->value) : Json()},
                           {"epoch", own ? Json(own->epoch) : Json()},
                           {"plain", twin ? Json(twin->value) : Json()},
                           {"plain_epoch", twin ? Json(twin->epoch) : Json()}});
    Json& json = result.json.back();
    if (!one.reading.class_name.text.empty()) json["class_name"] = one.reading.class_name.text;
    const auto add_counts = [&](const char* key, const std::optional<Figure>& of) {
      if (of && !of->reading.counts.rows.empty()) json[key] = of->reading.counts.rows;
    };
    add_counts("counts", own);
    add_counts("plain_counts", twin);
  }
  const std::string counts = counts_text(readings_of(shares), readings_of(plain));
  result.text = table(rows, 1) + (counts.empty() ? "" : "\n" + counts);
  return result;
}

}  // namespace tacit::launcher
