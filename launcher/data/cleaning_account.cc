#include "launcher/data/cleaning_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "gnn/clean/count_tree.h"
#include "gnn/clean/number_bins.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::array<std::string_view, 6> kRepairNames = {"dropped", "constant", "unlabelled",
                                                          "mode",    "median",   "mean"};

// How far noise moves a median among the sorted values: the standard deviation, in places. The noise of all bins below the
// median adds up, and half of the noise of all bins belongs to the middle. Bins that are fitted to the counts of groups have less.
struct MovedMedian {
  double places = 0;
  std::int64_t values = 0;
  bool is_hidden() const {
    return places > static_cast<double>(values) / 8;
  }  // a third lands beyond the quarter next to it
};

MovedMedian moved_median(const gnn::CleaningStatistics& all, const gnn::ColumnStatistics& column,
                         const gnn::CleaningColumn& rule, double median) {
  const std::size_t bins = column.counts.size();
  const double half = all.noise->tree && gnn::has_count_tree(rule, bins)
                          ? gnn::noise_of_half(bins, gnn::bin_of(rule, median))
                          : std::sqrt(static_cast<double>(bins)) / 2;
  return {all.noise->deviation * half, std::max<std::int64_t>(all.kept - column.imputed, 0)};
}

// A median of numbers is the middle of a bin: says how wide the bin is, and whether a narrower range would tell more.
std::string error_of_bin(const gnn::CleaningColumn& rule, const gnn::ColumnStatistics& column, double number,
                         Json& told) {
  if (column.counts.empty() || !rule.codes.empty()) return {};
  const std::size_t bin = gnn::bin_of(rule, number);
  const double within = gnn::number_bin(rule, bin).half_width;
  if (within == 0) return {};
  told["within"] = within;
  const std::int64_t all = std::accumulate(column.counts.begin(), column.counts.end(), std::int64_t{0});
  const bool coarse = column.counts[bin] > all / 8 && within > std::abs(number) / 10;
  return fmt::format(
      " (within {:.2g}{})", within,
      coarse ? fmt::format("; {} of {} values are so close to it: state a narrower range, to tell them apart",
                           column.counts[bin], all)
             : "");
}

}  // namespace

Answer cleaning_account(const gnn::CleaningRules& rules, const gnn::CleaningStatistics& of,
                        const gnn::CleaningStatistics* all, std::span<const std::int64_t> not_utf8) {
  Answer answer;
  answer.text = fmt::format("{} rows in, {} kept, {} dropped\n", of.rows, of.kept, of.rows - of.kept);
  answer.json = {{"rows", of.rows}, {"kept", of.kept}, {"dropped", of.rows - of.kept}};
  Json dropped = Json::object(), columns = Json::object();
  if (of.malformed > 0) {
    dropped["malformed"] = of.malformed;
    answer.text += fmt::format("  malformed lines: {} rows dropped\n", of.malformed);
  }
  const std::vector<double> numbers = all != nullptr ? replacements(rules, *all) : std::vector<double>();
  bool used = false;
  for (std::size_t i = 0; i < rules.columns.size(); ++i) {
    const gnn::CleaningColumn& rule = rules.columns[i];
    const gnn::ColumnStatistics& column = of.columns[i];
    Json told = {{"missing", column.missing}, {"invalid", column.invalid}};
    std::string text;
    if (!not_utf8.empty() && not_utf8[i] > 0) {
      told["not_utf8"] = not_utf8[i];
      text += fmt::format(" ({} of them are not UTF-8: save the table as UTF-8)", not_utf8[i]);
    }
    if (column.dropped > 0) {
      dropped[rule.name] = column.dropped;
      text += fmt::format(", {} rows dropped", column.dropped);
    }
    if (rule.repair == gnn::CleaningColumn::Repair::kUnlabelled) {
      told["unlabelled"] = column.imputed;
      if (column.imputed > 0) text += fmt::format(", {} rows kept without a label", column.imputed);
    } else if (rule.repair != gnn::CleaningColumn::Repair::kDrop) {
      const std::string_view by = kRepairNames[static_cast<std::size_t>(rule.repair)];
      told["imputed"] = column.imputed;
      told["by"] = by;
      // The sum over several parties' tables has no counts of a column with a constant.
      const bool imputes = all != nullptr && (all->columns[i].imputed > 0 || column.imputed > 0);
      used = used || (imputes && rule.uses_statistic());
      if (imputes) told["number"] = numbers[i];
      if (column.imputed > 0) {
        text += fmt::format(", {} imputed by the {}", column.imputed, by);
        if (imputes) text += fmt::format(" {}{}", numbers[i], error_of_bin(rule, all->columns[i], numbers[i], told));
        if (imputes && all->noise && rule.repair == gnn::CleaningColumn::Repair::kMedian) {
          const MovedMedian moved = moved_median(*all, all->columns[i], rule, numbers[i]);
          told["moved"] = {{"places", moved.places}, {"values", moved.values}};
          text += fmt::format(", which noise moves by about {:.0f} of {} places", moved.places, moved.values);
          if (moved.is_hidden()) text += ": it tells next to nothing, so state a constant, or spend a larger epsilon";
        }
      }
    }
    columns[rule.name] = std::move(told);
    if (column.missing + column.invalid == 0) continue;
    answer.text += fmt::format("  {}: {} missing, {} invalid{}\n", net::printable(rule.name, 60), column.missing,
                               column.invalid, text);
  }
  answer.json["dropped_by"] = std::move(dropped);
  answer.json["columns"] = std::move(columns);
  answer.json["statistic_used"] = used;
  const bool parts_known = of.kept == 0 || of.train + of.validation + of.test > 0;
  if (parts_known && (rules.split || rules.with(gnn::CleaningColumn::Role::kSplit) != nullptr)) {
    answer.json["split"] = {{"train", of.train}, {"validation", of.validation}, {"test", of.test}};
    answer.text += fmt::format("  {} to train, {} to validate, {} to test\n", of.train, of.validation, of.test);
  }
  if (used && all->noise) {
    answer.json["noise"] = {{"deviation", all->noise->deviation}, {"session", all->noise->session}};
    answer.text += fmt::format(
        "  statistics with noise were imputed ({:.4g} rows on each count): the privacy ledger of session {} has their "
        "epsilon\n",
        all->noise->deviation, all->noise->session.substr(0, 8));
  } else if (used) {
    answer.text +=
        "  a statistic of the data was imputed: beside [privacy] it tells of the rows, and the job's account does not "
        "cover it\n";
  }
  return answer;
}

}  // namespace tacit::launcher
