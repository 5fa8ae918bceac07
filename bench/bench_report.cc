#include "bench/bench_report.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

#include "net/error.h"

namespace tacit::bench {

namespace {

std::vector<double> sorted(std::vector<double> values) {
  TACIT_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  return values;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// Three significant digits, without an exponent where people can do without.
std::string number(double value) {
  if (value == static_cast<double>(static_cast<std::int64_t>(value)) && value < 1e15)
    return fmt::format("{:.0f}", value);
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string cell(const Samples& s) {
  if (s.empty()) return "-";
  if (s.min() == s.max()) return number(s.median());
  return fmt::format("{} ({}..{})", number(s.median()), number(s.min()), number(s.max()));
}

}  // namespace

double Samples::median() const {
  const std::vector<double> v = sorted(values_);
  return v.size() % 2 == 1 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
}

double Samples::min() const { return sorted(values_).front(); }
double Samples::max() const { return sorted(values_).back(); }

Samples& Row::figure(const std::string& name, const std::string& unit) {
  const auto at = std::find_if(figures.begin(), figures.end(), [&](const auto& f) { return f.first == name; });
  if (at != figures.end()) return at->second;
  return figures.emplace_back(name, Samples(unit)).second;
}

BenchReport::BenchReport(std::string bench, int argc, const char* const* argv) : bench_(std::move(bench)) {
  for (int i = 0; i < argc; ++i) command_ += (i > 0 ? " " : "") + std::string(argv[i]);
}

Row& BenchReport::add(std::vector<std::pair<std::string, std::string>> labels) {
  rows_.push_back(std::make_unique<Row>(Row{std::move(labels), {}}));
  return *rows_.back();
}

std::string BenchReport::table() const {
  // Columns in the order of their first appearance.
  std::vector<std::string> columns;
  std::vector<std::map<std::string, std::string>> lines;
  const auto put = [&](const std::string& column, std::string text) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    lines.back()[column] = std::move(text);
  };
  for (const auto& row : rows_) {
    lines.emplace_back();
    for (const auto& [name, value] : row->labels) put(name, value);
    for (const auto& [name, samples] : row->figures) put(name + ", " + samples.unit(), cell(samples));
  }
  std::string text;
  std::map<std::string, std::size_t> width;
  for (const std::string& column : columns) {
    width[column] = column.size();
    for (auto& line : lines) width[column] = std::max(width[column], line[column].size());
    text += fmt::format("{:<{}}  ", column, width[column]);
  }
  text += "\n";
  for (auto& line : lines) {
    for (const std::string& column : columns) text += fmt::format("{:<{}}  ", line[column], width[column]);
    text += "\n";
  }
  for (const std::string& line : notes_) text += line + "\n";
  return text;
}

nlohmann::json BenchReport::json() const {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& row : rows_) {
    nlohmann::json labels = nlohmann::json::object(), figures = nlohmann::json::object();
    for (const auto& [name, value] : row->labels) labels[name] = value;
    for (const auto& [name, s] : row->figures) {
      if (s.empty()) continue;
      figures[name] = {
          {"unit", s.unit()}, {"median", s.median()}, {"min", s.min()}, {"max", s.max()}, {"runs", s.values()}};
    }
    rows.push_back({{"labels", labels}, {"figures", figures}});
  }
  return {{"bench", bench_}, {"command", command_}, {"machine", this_machine()}, {"rows", rows}, {"notes", notes_}};
}

void BenchReport::finish(const std::string& json_path) const {
  std::fputs(table().c_str(), stdout);
  if (json_path.empty()) return;
  const std::string text = json().dump(2) + "\n";
  if (json_path == "-") {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::ofstream file(json_path);
  file << text;
  if (!file.flush()) throw ConfigError("cannot write " + json_path + "; choose another file with --json");
}

nlohmann::json this_machine() {
  utsname system{};
  ::uname(&system);
  return {{"cpu", cpu_model()},
          {"cores", std::thread::hardware_concurrency()},
          {"kernel", std::string(system.sysname) + " " + system.release}};
}

}  // namespace tacit::bench
