#include "launcher/launch/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "launcher/reading_name.h"
#include "launcher/table.h"
#include "launcher/unit_text.h"
#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostSeed = std::int64_t{1} << 40;  // the job file has the same limit

[[noreturn]] void wrong_seeds(const std::string& text, const std::string& why) {
  throw ConfigError(
      fmt::format("--seeds {}: {}; expected a range as 1..5, or a list as 3,7,11", net::printable(text, 60), why));
}

std::int64_t seed_of(const std::string& text, std::string_view word) {
  const std::optional<std::int64_t> seed = net::parse_decimal(word, 0, kMostSeed);
  if (!seed) wrong_seeds(text, fmt::format("\"{}\" is no seed", net::printable(std::string(word), 30)));
  return *seed;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// A mean and a deviation.
std::vector<std::string> cells_of(const std::vector<double>& values, std::size_t seeds) {
  if (values.empty()) return {"-", "-"};
  const std::string mean = figure_text(mean_of(values));
  const std::optional<double> deviation = deviation_of(values);
  return {values.size() == seeds ? mean : fmt::format("{} ({} seeds)", mean, values.size()),
          deviation ? figure_text(*deviation) : "-"};
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

void put(Json& json, const std::string& prefix, const std::vector<double>& values) {
  json[prefix + "mean"] = values.empty() ? Json() : Json(mean_of(values));
  json[prefix + "deviation"] = or_null(deviation_of(values));
  json[prefix + "values"] = values;
}

}  // namespace

std::vector<std::int64_t> parse_seeds(const std::string& text) {
  std::vector<std::int64_t> seeds;
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    const std::int64_t first = seed_of(text, std::string_view(text).substr(0, dots));
    const std::int64_t last = seed_of(text, std::string_view(text).substr(dots + 2));
    if (last < first) wrong_seeds(text, "the last seed is below the first one");
    if (last - first >= static_cast<std::int64_t>(kMostSeeds))
      wrong_seeds(text, fmt::format("more than {} seeds", kMostSeeds));
    seeds.resize(static_cast<std::size_t>(last - first) + 1);
    std::iota(seeds.begin(), seeds.end(), first);
    return seeds;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    seeds.push_back(seed_of(text, std::string_view(text).substr(begin, end - begin)));
    if (seeds.size() > kMostSeeds) wrong_seeds(text, fmt::format("more than {} seeds", kMostSeeds));
    begin = end + 1;
  }
  std::vector<std::int64_t> sorted = seeds;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) wrong_seeds(text, fmt::format("{} is there twice", *twice));
  return seeds;
}

std::filesystem::path folder_of_seed(const std::filesystem::path& output, std::int64_t seed) {
  return output / fmt::format("seed-{}", seed);
}

void FiguresOverSeeds::add(const Json& figures) {
  ++seeds_;
  for (const Json& one : figures) {
    const std::string what = one.value("what", std::string());
    auto found =
        std::find_if(figures_.begin(), figures_.end(), [&](const Figure& known) { return known.what == what; });
    if (found == figures_.end())
      found = figures_.insert(figures_.end(), Figure{what, shown_name(struct_in<ToldReading>(one)), {}, {}});
    if (one.contains("value") && one["value"].is_number()) found->shares.push_back(one["value"].get<double>());
    if (one.contains("plain") && one["plain"].is_number()) found->plain.push_back(one["plain"].get<double>());
  }
}

std::string FiguresOverSeeds::text() const {
  if (figures_.empty()) return "";
  const bool twins =
      std::any_of(figures_.begin(), figures_.end(), [](const Figure& one) { return !one.plain.empty(); });
  std::vector<std::vector<std::string>> rows{{fmt::format("mean of {} seeds", seeds_), "on shares", "deviation"}};
  if (twins) rows[0].insert(rows[0].end(), {"on plain data", "deviation"});
  for (const Figure& one : figures_) {
    rows.push_back({net::printable(one.shown, kMostOfShownName)});
    for (const auto* values : {&one.shares, &one.plain}) {
      if (values == &one.plain && !twins) continue;
      const std::vector<std::string> cells = cells_of(*values, seeds_);
      rows.back().insert(rows.back().end(), cells.begin(), cells.end());
    }
  }
  return table(rows, 1);
}

Json FiguresOverSeeds::json() const {
  Json all = Json::array();
  for (const Figure& one : figures_) {
    Json json = {{"what", one.what}};
    put(json, "", one.shares);
    put(json, "plain_", one.plain);
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace tacit::launcher
