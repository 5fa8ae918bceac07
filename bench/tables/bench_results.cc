#include "bench/tables/bench_results.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "bench/tables/bench_figures.h"
#include "bench/tables/bench_page.h"
#include "gnn/data/atomic_file.h"
#include "launcher/text_file.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = 64 << 20;
constexpr std::array<const char*, 11> kOrder = {"scaling",   "two-machine", "accuracy",      "divergence",
                                                "breakdown", "privacy",     "data-parallel", "gradients",
                                                "sweep",     "collectives", "preprocessing"};

std::size_t place_of(const Measurements& one) {
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), one.bench()) - kOrder.begin());
}

void write_file(const fs::path& file, const std::string& text) {
  gnn::AtomicFile out(file);
  out.write(std::as_bytes(std::span(text)));
  out.commit();
  fs::permissions(file, fs::perms::group_read | fs::perms::others_read, fs::perm_options::add);  // to be shown
}

std::string safe(std::string name) {
  for (char& c : name) {
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '-';
  }
  return name;
}

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder, failed)) {
    throw ConfigError(fmt::format("the folder {} cannot be made: {}; name another", net::printable(folder.string()),
                                  failed ? failed.message() : "it is a file"));
  }
}

Measurements read_file(const fs::path& file) {
  const std::string name = net::printable(file.string());
  const Json json = Json::parse(read_text_file(file, kMostBytes, "a file of measurements"), nullptr, false);
  if (json.is_discarded()) {
    throw ConfigError(fmt::format("{} is no JSON, or only a part of a file; take it out of the folder", name));
  }
  return Measurements::from_json(json, name);
}

}  // namespace

BenchResults::BenchResults(fs::path folder) : folder_(std::move(folder)) {}

void BenchResults::expect_usable() const {
  const bool there = fs::exists(folder_);
  make_folder(folder_);
  if (::access(folder_.c_str(), W_OK | X_OK) != 0) {
    throw ConfigError(fmt::format("{} may not be written; let this user write there, or name another folder",
                                  net::printable(folder_.string())));
  }
  read();
  if (!there) fs::remove(folder_);
}

void BenchResults::write(const Measurements& measured) const {
  make_folder(folder_);
  std::set<fs::path> before;
  if (fs::exists(json_of(measured.bench()))) before = tables_of(read_file(json_of(measured.bench())));
  write_file(json_of(measured.bench()), measured.json_text());
  for (const Table& table : measured.tables()) write_file(csv_of(measured.bench(), table), table.csv());
  // Remove the tables of an earlier run that this run lacks: no JSON file would belong to them.
  for (const fs::path& file : tables_of(measured)) before.erase(file);
  for (const fs::path& file : before) fs::remove(file);
}

fs::path BenchResults::json_of(const std::string& bench) const { return folder_ / (safe(bench) + ".json"); }

fs::path BenchResults::csv_of(const std::string& bench, const Table& table) const {
  return folder_ / fmt::format("{}-{}.csv", safe(bench), safe(table.name));
}

std::set<fs::path> BenchResults::tables_of(const Measurements& measured) const {
  std::set<fs::path> files;
  for (const Table& table : measured.tables()) files.insert(csv_of(measured.bench(), table));
  return files;
}

void BenchResults::expect_whole(const std::string& bench, const std::vector<std::string>& tables) const {
  if (!fs::exists(json_of(bench))) return;
  const Measurements before = read_file(json_of(bench));
  for (const Table& table : before.tables()) {
    if (std::find(tables.begin(), tables.end(), table.name) != tables.end()) continue;
    throw ConfigError(fmt::format("{} has \"{}\" too, and this run would remove it; name another folder with --output",
                                  net::printable(json_of(bench).string()), table.name));
  }
}

std::vector<Measurements> BenchResults::read() const {
  std::vector<Measurements> all;
  std::vector<fs::path> files;
  if (fs::is_directory(folder_)) {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() == ".json" && entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) all.push_back(read_file(file));
  std::stable_sort(all.begin(), all.end(),
                   [](const Measurements& a, const Measurements& b) { return place_of(a) < place_of(b); });
  return all;
}

fs::path BenchResults::write_page() const {
  const std::vector<Measurements> all = read();
  if (all.empty()) {
    throw ConfigError(fmt::format("{} holds no measurements; `tacit bench scaling --output {}` makes some",
                                  net::printable(folder_.string()), net::printable(folder_.string())));
  }
  write_file(folder_ / "report.html", bench_page(all));
  return folder_ / "report.html";
}

}  // namespace tacit::launcher
