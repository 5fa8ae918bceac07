#include "gnn/clean/statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "gnn/clean/number_bins.h"
#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

using Repair = CleaningColumn::Repair;

constexpr std::string_view kTitle = "tacit cleaning statistics 2", kEarlier = "tacit cleaning statistics 1";
constexpr std::int64_t kMostCount = std::int64_t{1} << 62;
constexpr double kUnits = 1 << 30;                          // in a column's range
constexpr std::int64_t kMostNoisy = std::int64_t{1} << 49;  // of a count with noise, so that no sum of bins overflows
constexpr std::size_t kDigest = 64;                         // hexadecimal digits
constexpr std::size_t kMostRanges = 1 << 20;

void add_to(std::int64_t& sum, std::int64_t more) {
  if (more > kMostCount - sum) throw ConfigError("the statistics are of more rows than can be counted");
  sum += more;
}

// Reads words and whole numbers, each after one space or line end.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : left_(text), name_(name) {}

  std::string_view line() {
    const std::size_t end = left_.find('\n');
    if (end == std::string_view::npos) wrong("it ends within a line");
    const std::string_view line = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    ++line_;
    return line;
  }
  bool done() const { return left_.empty(); }

  std::string_view word(std::string_view& line) const {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
  }
  std::int64_t number(std::string_view& line) const {
    std::string_view digits = word(line);
    const bool negative = signed_ && digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    const auto number = net::parse_decimal(digits, 0, kMostCount);
    if (!number) wrong("expected a whole number");
    return negative ? -*number : *number;
  }
  void allow_signs(bool may_be_negative) { signed_ = may_be_negative; }
  std::int64_t number_after(std::string_view name, std::string_view& line) const {
    if (word(line) != name) wrong(fmt::format("expected {}", name));
    return number(line);
  }
  [[noreturn]] void wrong(std::string_view what) const {
    throw ConfigError(
        fmt::format("{}: line {}: {}; expected a file that `tacit data clean --statistics` wrote", name_, line_, what));
  }

 private:
  std::string_view left_;
  const std::string& name_;
  int line_ = 0;
  bool signed_ = false;
};

bool is_digest(std::string_view text) {
  return text.size() == kDigest && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// "noise 12.5 tree session 0123…"; without "tree", of an older version
NoiseOnCounts noise_in(const Words& words, std::string_view line) {
  NoiseOnCounts noise;
  words.word(line);
  const std::string_view deviation = words.word(line);
  const auto [end, error] = std::from_chars(deviation.data(), deviation.data() + deviation.size(), noise.deviation);
  noise.tree = line.starts_with("tree ");
  if (noise.tree) words.word(line);
  if (error != std::errc() || end != deviation.data() + deviation.size() || !(noise.deviation > 0) ||
      !std::isfinite(noise.deviation) || words.word(line) != "session" || !is_digest(line)) {
    words.wrong("expected the noise and the session that added it");
  }
  noise.session = line;
  return noise;
}

std::string line_of(const std::vector<CountedRange>& ranges) {
  std::string text;
  for (const CountedRange& one : ranges) text += fmt::format(" {} {} {}", one.begin, one.end, one.lines);
  return text.empty() ? text : fmt::format("ranges {}{}\n", ranges.size(), text);
}

std::vector<CountedRange> ranges_in(const Words& words, std::string_view line) {
  const std::int64_t count = words.number_after("ranges", line);
  std::vector<CountedRange> ranges;
  while (!line.empty() && ranges.size() < kMostRanges) {
    const std::int64_t begin = words.number(line), end = words.number(line), lines = words.number(line);
    const std::int64_t before = ranges.empty() ? 0 : ranges.back().end;
    if (begin < before || end < begin || lines > end - begin)
      words.wrong("expected ranges in their order, with their lines");
    ranges.push_back({begin, end, lines});
  }
  if (!line.empty() || std::ssize(ranges) != count) words.wrong("expected ranges, each with begin, end and lines");
  return ranges;
}

using Counted = std::map<double, std::int64_t>;  // by number

Counted counted(const CleaningColumn& column, const ColumnStatistics& of) {
  Counted counts;
  for (std::size_t bin = 0; bin < of.counts.size(); ++bin) {
    if (of.counts[bin] != 0) counts[number_of_bin(column, bin)] += of.counts[bin];
  }
  return counts;
}

double mode(const Counted& counts) {
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::int64_t total(const Counted& counts) {
  std::int64_t sum = 0;
  for (const auto& [number, count] : counts) add_to(sum, count);
  return sum;
}

// The smallest number that half of the values do not exceed. With noise, several numbers can qualify. The result is then the
// one in the middle of the list from the lowest to the highest, since each of the two would be off to its side.
double median(const Counted& counts) {
  const std::int64_t all = total(counts);
  std::int64_t below = 0;
  std::vector<std::ptrdiff_t> crossings;  // places in the list
  bool under = true;
  std::ptrdiff_t at = 0;
  for (const auto& [number, count] : counts) {
    below += count;
    const bool now_under = below < all - below;
    if (under && !now_under) crossings.push_back(at);
    under = now_under;
    ++at;
  }
  if (crossings.empty()) return counts.rbegin()->first;
  return std::next(counts.begin(), (crossings.front() + crossings.back() + 1) / 2)->first;
}

double mean(const Counted& counts) {
  double sum = 0;
  for (const auto& [number, count] : counts) sum += number * static_cast<double>(count);
  return sum / static_cast<double>(total(counts));
}

// The same by counts with noise. Clamping the result to valid values costs no privacy, since it reads the noisy counts alone.
double noisy_replacement(const CleaningColumn& column, const ColumnStatistics& of, std::int64_t kept) {
  const auto hidden = [&]() -> ConfigError {
    return ConfigError(fmt::format(
        "columns.{}: the noise is larger than the number of its values, so there is no statistic to impute; "
        "state a constant, or spend a larger epsilon",
        net::printable(column.name, 80)));
  };
  if (column.repair == Repair::kMean && column.is_number()) {
    if (kept <= of.imputed) throw hidden();
    const auto [low, high] = *column.range;
    const double mean = static_cast<double>(of.sum) / kUnits / static_cast<double>(kept - of.imputed);
    return std::clamp(low + (high - low) * mean, low, high);
  }
  const Counted counts = counted(column, of);
  if (counts.empty() || total(counts) <= 0) throw hidden();
  if (column.repair == Repair::kMean) {
    const auto less = [](const auto& a, const auto& b) { return a.number < b.number; };
    const auto [least, most] = std::minmax_element(column.codes.begin(), column.codes.end(), less);
    return std::clamp(mean(counts), least->number, most->number);
  }
  const double number = column.repair == Repair::kMode ? mode(counts) : median(counts);
  return column.whole ? std::floor(number + 0.5) : number;
}

double replacement(const CleaningColumn& column, const ColumnStatistics& of, std::int64_t kept) {
  if (column.repair == Repair::kUnlabelled) return column.role == CleaningColumn::Role::kClass ? -1 : std::nan("");
  if (!column.uses_statistic()) return column.constant;
  if (of.imputed == 0) return column.codes.empty() ? column.range->first : column.codes.front().number;  // unused
  if (of.imputed >= kept) {
    throw ConfigError(
        fmt::format("columns.{}: no kept row has a valid value, so there is no statistic to impute; "
                    "state a constant, or check its rules",
                    net::printable(column.name, 80)));
  }
  if (column.repair == Repair::kMean && column.is_number()) {
    const auto [low, high] = *column.range;
    return low + (high - low) * (static_cast<double>(of.sum) / kUnits / static_cast<double>(kept - of.imputed));
  }
  const Counted counts = counted(column, of);
  if (column.repair == Repair::kMean) return mean(counts);
  const double number = column.repair == Repair::kMode ? mode(counts) : median(counts);
  return column.whole ? std::floor(number + 0.5) : number;
}

}  // namespace

CleaningStatistics::CleaningStatistics(const CleaningRules& of) : rules(digest_text(of)), columns(of.columns.size()) {
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].counts.resize(bins_of(of.columns[i]));
}

void CleaningStatistics::add(const CleaningStatistics& other) {
  const bool fits = std::equal(columns.begin(), columns.end(), other.columns.begin(), other.columns.end(),
                               [](const auto& a, const auto& b) { return a.counts.size() == b.counts.size(); });
  if (parties > 0 || other.parties > 0) {
    throw ConfigError("statistics of several parties' tables are whole, and nothing is to be added");
  }
  if (rules != other.rules || !fits) throw ConfigError("the statistics were counted by different rules");
  table.add(other.table);
  add_to(bytes, other.bytes);
  add_to(rows, other.rows);
  add_to(malformed, other.malformed);
  add_to(kept, other.kept);
  add_to(train, other.train);
  add_to(validation, other.validation);
  add_to(test, other.test);
  ranges.insert(ranges.end(), other.ranges.begin(), other.ranges.end());
  std::ranges::sort(ranges, {}, [](const CountedRange& one) { return std::pair(one.begin, one.end); });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ColumnStatistics& mine = columns[i];
    const ColumnStatistics& more = other.columns[i];
    add_to(mine.missing, more.missing);
    add_to(mine.invalid, more.invalid);
    add_to(mine.dropped, more.dropped);
    add_to(mine.imputed, more.imputed);
    add_to(mine.sum, more.sum);
    for (std::size_t bin = 0; bin < mine.counts.size(); ++bin) add_to(mine.counts[bin], more.counts[bin]);
  }
}

std::string text_of(const CleaningStatistics& all) {
  std::string text = fmt::format(
      "{}\nrules {}\n{}{}{}bytes {} rows {} malformed {} kept {} train {} validation {} test {}\n", kTitle, all.rules,
      all.parties > 0 ? fmt::format("parties {}\n", all.parties) : fmt::format("table {}\n", all.table.text()),
      all.noise ? fmt::format("noise {} {}session {}\n", all.noise->deviation, all.noise->tree ? "tree " : "",
                              all.noise->session)
                : "",
      line_of(all.ranges), all.bytes, all.rows, all.malformed, all.kept, all.train, all.validation, all.test);
  for (const ColumnStatistics& of : all.columns) {
    text += fmt::format("missing {} invalid {} dropped {} imputed {} sum {} counts {}", of.missing, of.invalid,
                        of.dropped, of.imputed, of.sum, of.counts.size());
    for (const std::int64_t count : of.counts) text += fmt::format(" {}", count);
    text += '\n';
  }
  return text;
}

CleaningStatistics parse_statistics(std::string_view text, const std::string& name) {
  CleaningStatistics read;
  Words words(text, name);
  std::string_view line = words.line();
  if (line == kEarlier) {
    throw ConfigError(fmt::format("{}: an earlier version counted these statistics, in other bins; count again", name));
  }
  if (line != kTitle) words.wrong("it does not begin as statistics of a cleaning");
  line = words.line();
  if (words.word(line) != "rules" || !is_digest(line)) words.wrong("expected the digest of the rules");
  read.rules = line;
  line = words.line();
  if (line.starts_with("parties ")) {
    read.parties = words.number_after("parties", line);
    if (read.parties < 1 || !line.empty()) words.wrong("expected the number of parties");
    line = words.line();
    if (line.starts_with("noise ")) {
      read.noise = noise_in(words, line);
      line = words.line();
    }
  } else {
    const auto table = words.word(line) == "table" ? TablePrint::parse(line) : std::nullopt;
    if (!table) words.wrong("expected the print of the table");
    read.table = *table;
    line = words.line();
  }
  if (line.starts_with("ranges ")) {
    read.ranges = ranges_in(words, line);
    line = words.line();
  }
  read.bytes = words.number_after("bytes", line);
  read.rows = words.number_after("rows", line);
  read.malformed = words.number_after("malformed", line);
  words.allow_signs(read.noise.has_value());
  read.kept = words.number_after("kept", line);
  words.allow_signs(false);
  if (read.noise && std::abs(read.kept) > kMostNoisy) words.wrong("a count is out of range");
  read.train = words.number_after("train", line);
  read.validation = words.number_after("validation", line);
  read.test = words.number_after("test", line);
  if (!line.empty()) words.wrong("text follows the counts");
  std::int64_t lines = 0;
  for (const CountedRange& one : read.ranges) lines += one.lines;
  if (read.parties == 0 && !read.ranges.empty() && lines != read.rows)
    words.wrong("the lines of the ranges are not the rows");
  while (!words.done()) {
    line = words.line();
    ColumnStatistics& of = read.columns.emplace_back();
    of.missing = words.number_after("missing", line);
    of.invalid = words.number_after("invalid", line);
    of.dropped = words.number_after("dropped", line);
    words.allow_signs(read.noise.has_value());
    of.imputed = words.number_after("imputed", line);
    of.sum = words.number_after("sum", line);
    const std::int64_t bins = words.number_after("counts", line);
    if (bins > kCleaningBins) words.wrong("too many bins");
    if (bins < 0 || (read.noise && std::abs(of.imputed) > kMostNoisy)) words.wrong("a count is out of range");
    std::int64_t values = 0;
    for (std::int64_t bin = 0; bin < bins; ++bin) {
      of.counts.push_back(words.number(line));
      if (read.noise && std::abs(of.counts.back()) > kMostNoisy) words.wrong("a count is out of range");
      add_to(values, of.counts.back());
    }
    words.allow_signs(false);
    if (!line.empty()) words.wrong("text follows the counts");
    if (read.noise) continue;
    if (of.imputed > read.kept || (bins > 0 && values != read.kept - of.imputed)) {
      words.wrong("the counts do not fit the number of kept rows");
    }
  }
  return read;
}

CleaningStatistics parse_statistics(std::string_view text, const CleaningRules& rules, const std::string& name) {
  CleaningStatistics read = parse_statistics(text, name);
  const CleaningStatistics none(rules);
  if (read.rules != none.rules) {
    throw ConfigError(fmt::format("{}: the statistics were counted by other rules; count again with these", name));
  }
  const bool fits = std::equal(read.columns.begin(), read.columns.end(), none.columns.begin(), none.columns.end(),
                               [](const auto& a, const auto& b) { return a.counts.size() == b.counts.size(); });
  if (!fits) throw ConfigError(fmt::format("{}: it has not the columns and bins of the rules; count again", name));
  return read;
}

std::size_t bins_of(const CleaningColumn& column) {
  if (!column.uses_statistic()) return 0;
  if (!column.codes.empty()) return column.codes.size();
  if (column.repair == Repair::kMean) return 0;
  return bins_of_numbers(column);
}

double number_of_bin(const CleaningColumn& column, std::size_t bin) {
  return column.codes.empty() ? number_bin(column, bin).middle : column.codes[bin].number;
}

std::int64_t unit_of(const CleaningColumn& column, double number) {
  const auto [low, high] = *column.range;
  return static_cast<std::int64_t>(std::floor((number - low) / (high - low) * kUnits + 0.5));
}

std::vector<double> replacements(const CleaningRules& rules, const CleaningStatistics& statistics) {
  std::vector<double> all;
  for (std::size_t i = 0; i < rules.columns.size(); ++i) {
    const CleaningColumn& column = rules.columns[i];
    const bool noisy = statistics.noise && column.uses_statistic();
    all.push_back((noisy ? noisy_replacement : replacement)(column, statistics.columns[i], statistics.kept));
  }
  return all;
}

}  // namespace tacit::gnn
