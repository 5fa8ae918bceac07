#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gnn/clean/cleaning.h"
#include "gnn/data/atomic_file.h"
#include "launcher/commands/verb.h"
#include "launcher/data/cleaning_account.h"
#include "launcher/data/cleaning_rules.h"
#include "launcher/data/new_file.h"
#include "launcher/text_file.h"
#include "net/decimal.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

struct CleanOptions {
  std::string raw, rules, out, range, statistics, rows;
  int threads = 0;
  bool force = false;
};

// Two numbers around a colon. An empty one is `first` or `second`.
std::pair<std::int64_t, std::int64_t> two_numbers(const std::string& flag, const std::string& text,
                                                  std::optional<std::int64_t> first,
                                                  std::optional<std::int64_t> second) {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  const std::size_t colon = text.find(':');
  const auto number = [](const std::string& word, std::optional<std::int64_t> otherwise) {
    return word.empty() ? otherwise : net::parse_decimal(word, 0, kMost);
  };
  if (colon != std::string::npos) {
    const auto low = number(text.substr(0, colon), first), high = number(text.substr(colon + 1), second);
    if (low && high) return {*low, *high};
  }
  throw ConfigError(fmt::format("{} {}: expected two whole numbers, as 0:1000", flag, text));
}

gnn::PartFormat::Kind kind_of(const std::string& out) {
  const fs::path ending = fs::path(out).extension();
  if (ending == ".npz") return gnn::PartFormat::Kind::kNpz;
  if (ending == ".csv") return gnn::PartFormat::Kind::kCsv;
  throw ConfigError(fmt::format("--out {}: expected a name that ends in .npz or .csv", out));
}

int threads_of(const CleanOptions& options) {
  constexpr int kMostByDefault = 16;
  if (options.threads > 0) return options.threads;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostByDefault);
}

void write_text(const std::string& path, const std::string& text) {
  gnn::AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

// Options that would give a wrong part, or would be ignored.
void check_clean(const CleanOptions& options) {
  const bool writes_statistics = !options.statistics.empty() && options.out.empty();
  if (!options.out.empty()) expect_absent(options.out, options.force);
  if (writes_statistics) expect_absent(options.statistics, options.force);
  if (!options.range.empty() && !options.out.empty() && options.statistics.empty()) {
    throw ConfigError(
        "--range with --out needs --statistics, of the whole file: count each range with --range and --statistics "
        "alone, then merge these files");
  }
  if (options.rows.empty()) return;
  if (options.out.empty() || kind_of(options.out) != gnn::PartFormat::Kind::kNpz) {
    throw ConfigError(
        "--rows is for a part that --out writes as .npz; in a folder of CSV files, the job states the rows");
  }
}

Answer clean(const CleanOptions& options) {
  const gnn::CleaningRules rules = load_cleaning_rules(options.rules);
  check_clean(options);
  const gnn::FileSource file(options.raw);
  gnn::CleaningOptions cleaning_options{.threads = threads_of(options)};
  if (!options.range.empty()) cleaning_options.range = two_numbers("--range", options.range, 0, file.size());
  if (!options.rows.empty()) {
    const auto [first, of] = two_numbers("--rows", options.rows, std::nullopt, std::nullopt);
    cleaning_options.place = {first, of};
  }
  std::optional<gnn::CleaningStatistics> given;
  if (!options.statistics.empty() && !options.out.empty()) {
    given = gnn::parse_statistics(read_text_file(options.statistics, gnn::kMostStatisticsBytes, "statistics"), rules,
                                  options.statistics);
    cleaning_options.counted = given->ranges;
  }
  gnn::Cleaning cleaning(file, rules, cleaning_options);
  const gnn::CleaningStatistics& counted = cleaning.count();
  const gnn::CleaningStatistics* all = given ? &*given : &counted;
  if (!options.out.empty()) {
    cleaning.write(options.out, kind_of(options.out), *all);
  } else if (!options.statistics.empty()) {
    write_text(options.statistics, text_of(counted));
  }
  const bool whole = given || options.range.empty();
  Answer answer = cleaning_account(rules, counted, whole && all->kept > 0 ? all : nullptr, cleaning.not_utf8());
  answer.json["file"] = options.raw;
  answer.json["threads"] = cleaning.splittable() ? cleaning_options.threads : 1;
  answer.json["splittable"] = cleaning.splittable();
  if (!cleaning.splittable()) {
    answer.text += "  a quoted field has a line end: the file cannot be cut, so one thread read it\n";
  }
  if (!options.out.empty()) {
    answer.json["out"] = options.out;
    answer.text = fmt::format("{}: {}", options.out, answer.text);
  }
  return answer;
}

}  // namespace

void add_data_clean(CLI::App& data, Choice& choice) {
  const auto options = std::make_shared<CleanOptions>();
  CLI::App* verb = add_verb(
      data, choice, "clean", "make a party's data from a raw CSV table: drop and impute by rules, split, name columns",
      "tacit data clean raw.csv --rules census.toml --out part.npz", [options] { return clean(*options); });
  verb->add_option("RAW", options->raw, "a CSV file; the first line names the columns")->required();
  verb->add_option("--rules", options->rules, "a TOML file with a table for each column")->required();
  verb->add_option("--out", options->out,
                   "the part to write, .npz or .csv; without it, nothing but counts is computed");
  verb->add_option("--threads", options->threads,
                   "threads; any number writes the same bytes. Otherwise one a core, up to 16")
      ->check(CLI::Range(1, 256));
  verb->add_option("--range", options->range,
                   "BEGIN:END, bytes of the file: clean the lines that begin there. With --out, it needs --statistics");
  verb->add_option(
      "--statistics", options->statistics,
      "the file of counts: with --out it is read, and has the counts of the whole table; without --out it is written");
  verb->add_option(
      "--rows", options->rows,
      "FIRST:ALL, for a job with owners of rows: the number of rows of the parties before this one, and of "
      "all parties");
  verb->add_flag("--force", options->force, kForceHelp);
}

}  // namespace tacit::launcher
