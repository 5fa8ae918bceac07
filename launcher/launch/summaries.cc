#include "launcher/launch/summaries.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/counts_text.h"
#include "launcher/line_reader.h"
#include "launcher/reading_name.h"
#include "launcher/run/event_log.h"
#include "launcher/run/output_folder.h"
#include "launcher/table.h"
#include "launcher/unit_text.h"
#include "launcher/untrusted_file.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostOfSummary = 64 << 20;
constexpr std::int64_t kTail = 256 << 10;

Json read_summary(const std::filesystem::path& path) {
  UntrustedFile file(path);
  if (!file || file.size() > kMostOfSummary) return nullptr;
  Json summary = json_from_outside(file);
  return summary.is_object() ? summary : Json(nullptr);
}

// The loss of the last epoch; null if no loss was revealed to the rank. Reads only the end of a
// file that may be long.
Json last_loss(const std::filesystem::path& events) {
  UntrustedFile file(events);
  Json loss;
  if (!file) return loss;
  file.skip_to_last(kTail);
  for (LineReader lines(file, kTail); lines.next();) {
    const Json event = json_from_outside(lines.line());  // may be cut off
    if (event.is_object() && event.contains("loss") && event["loss"].is_number()) loss = event["loss"];
  }
  return loss;
}

// The loss or the value of a metric at `pointer`, or "-".
std::string figure(const Json& summary, const char* pointer) {
  const Json::json_pointer at(pointer);
  return summary.contains(at) && summary.at(at).is_number() ? figure_text(summary.at(at).get<double>()) : "-";
}

// The number at `pointer`, or "-".
std::string number(const Json& summary, const char* pointer, double unit, int digits) {
  const Json::json_pointer at(pointer);
  if (!summary.contains(at) || !summary.at(at).is_number()) return "-";
  return fmt::format("{:.{}f}", summary.at(at).get<double>() / unit, digits);
}

const Json& readings_of(const Json& summary) {
  static const Json none = Json::array();
  const auto found = summary.find("readings");
  return found != summary.end() && found->is_array() ? *found : none;
}

std::string what_of(const Json& reading) {
  const auto found = reading.find("what");
  return found != reading.end() && found->is_string() ? net::printable(found->get<std::string>(), kMostOfName) : "";
}

struct Column {
  std::string what, heading;
};

// All metrics that some rank saw, in the order of first occurrence.
std::vector<Column> metrics_of(const std::vector<Json>& summaries) {
  std::vector<Column> columns;
  for (const Json& summary : summaries) {
    for (const Json& reading : readings_of(summary)) {
      const std::string what = what_of(reading);
      const auto is_it = [&](const Column& one) { return one.what == what; };
      if (what.empty() || std::any_of(columns.begin(), columns.end(), is_it)) continue;
      columns.push_back({what, net::printable(shown_name(struct_in<ToldReading>(reading)), kMostOfShownName)});
    }
  }
  return columns;
}

std::string metric(const Json& summary, const std::string& name) {
  for (const Json& reading : readings_of(summary)) {
    if (what_of(reading) == name) return figure(reading, "/value");
  }
  return "-";
}

std::vector<std::string> row_of(const Json& summary, int rank, int parties, const std::vector<Column>& metrics) {
  std::vector<std::string> row = {std::to_string(rank), rank < parties ? "party" : "dealer"};
  row.push_back(number(summary, "/epochs", 1, 0));
  row.push_back(figure(summary, "/loss"));
  for (const Column& one : metrics) row.push_back(metric(summary, one.what));
  row.push_back(number(summary, "/measured/rounds", 1, 0));
  row.push_back(number(summary, "/measured/total/payload_sent", 1e6, 2));
  row.push_back(number(summary, "/measured/total/payload_received", 1e6, 2));
  row.push_back(number(summary, "/seconds", 1, 2));
  row.push_back(number(summary, "/cpu_seconds", 1, 2));
  row.push_back(number(summary, "/peak_memory", 1e6, 0));
  return row;
}

}  // namespace

std::vector<Json> read_summaries(const std::filesystem::path& output, int ranks, const std::string& name) {
  std::vector<Json> summaries;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::filesystem::path folder = output / fmt::format("rank{}", rank);
    Json summary = read_summary(folder / name);
    if (!summary.is_null()) summary["loss"] = last_loss(folder / "events.jsonl");
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

bool all_parties_have_checkpoints(const std::filesystem::path& output, int parties) {
  for (int rank = 0; rank < parties; ++rank) {
    if (EventLog::read(OutputFolder(output, rank).events(), {"checkpoint"}, 1).empty()) return false;
  }
  return true;
}

std::string table_of(const std::vector<Json>& summaries, int parties, Matrix matrix) {
  if (std::all_of(summaries.begin(), summaries.end(), [](const Json& summary) { return summary.is_null(); })) return "";
  const std::vector<Column> metrics = metrics_of(summaries);
  std::vector<std::vector<std::string>> rows = {{"rank", "role", "epochs", "loss"}};
  for (const Column& one : metrics) rows[0].push_back(one.heading);
  rows[0].insert(rows[0].end(), {"rounds", "MB out", "MB in", "time s", "CPU s", "memory MB"});
  for (std::size_t rank = 0; rank < summaries.size(); ++rank) {
    rows.push_back(row_of(summaries[rank], static_cast<int>(rank), parties, metrics));
  }
  std::string counts;  // the confusion matrix from the first rank that learned it
  if (matrix == Matrix::kElsewhere) return table(rows);
  for (std::size_t rank = 0; counts.empty() && rank < summaries.size(); ++rank) {
    counts = counts_text(readings_of(summaries[rank]));
  }
  return table(rows) + (counts.empty() ? "" : "\n" + counts);
}

}  // namespace tacit::launcher
