#include "bench/tables/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "bench/tables/this_machine.h"
#include "gnn/data/atomic_file.h"
#include "launcher/json_value.h"
#include "launcher/table.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::size_t kWidest = 140;
constexpr std::size_t kMostTables = 64, kMostRows = 10'000, kMostColumns = 64, kMostRuns = 100'000, kMostNotes = 200;

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{}, {}", name, unit);
}

template <typename One>
void add_once(std::vector<std::string>& names, const One& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::vector<std::string> names_of_labels(const Table& table) {
  std::vector<std::string> names;
  for (const Row& row : table.rows) {
    for (const auto& label : row.labels) add_once(names, label.first);
  }
  return names;
}

// The names of all figures, each with its unit at first occurrence.
std::vector<std::pair<std::string, std::string>> names_of_figures(const Table& table) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const Row& row : table.rows) {
    for (const auto& [name, samples] : row.figures) {
      const auto same = [&, &n = name](const auto& one) { return one.first == n; };
      if (std::none_of(names.begin(), names.end(), same)) names.emplace_back(name, samples.unit());
    }
  }
  return names;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line + "\n";
}

Json json_of(const Row& row) {
  Json labels = Json::object(), figures = Json::object();
  for (const auto& [name, value] : row.labels) labels[name] = value;
  for (const auto& [name, s] : row.figures) {
    if (s.empty()) continue;
    figures[name] = {
        {"unit", s.unit()}, {"median", s.median()}, {"min", s.min()}, {"max", s.max()}, {"runs", s.values()}};
  }
  Json json = {{"labels", labels}, {"figures", figures}};
  if (!row.remark.empty()) json["remark"] = row.remark;
  return json;
}

Json json_of(const Table& table) {
  Json json = {{"name", table.name}, {"about", table.about}, {"rows", Json::array()}};
  for (const Row& row : table.rows) json["rows"].push_back(json_of(row));
  return json;
}

// Reads JSON of a file that may come from another machine, within limits.
class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}

  const Json& object(const Json& json, std::string_view what) const {
    if (json.is_object() && json.size() <= kMostColumns) return json;
    wrong(what);
  }
  std::string text(const Json& json, std::string_view key) const {
    const Json* value = find(json, key);
    if (value == nullptr || !value->is_string()) wrong(key);
    return net::printable(value->get<std::string>(), kMostText);
  }
  const Json& list(const Json& json, std::string_view key, std::size_t most) const {
    static const Json none = Json::array();
    const Json* value = find(json, key);
    if (value == nullptr) return none;
    if (!value->is_array() || value->size() > most) wrong(key);
    return *value;
  }
  double number(const Json& json) const {
    if (!json.is_number()) wrong("runs");
    return json.get<double>();
  }

  Row row(const Json& json) const {
    Row made;
    object(json, "rows");
    const Json* labels = find(json, "labels");
    const Json* figures = find(json, "figures");
    if (labels == nullptr || figures == nullptr) wrong("rows");
    for (const auto& [name, value] : object(*labels, "labels").items()) {
      if (!value.is_string()) wrong("labels");
      made.labels.emplace_back(net::printable(name, kMostText), net::printable(value.get<std::string>(), kMostText));
    }
    for (const auto& [name, value] : object(*figures, "figures").items()) {
      if (value.is_null()) continue;  // a dash in a table of others
      std::vector<double> runs;
      for (const Json& one : list(value, "runs", kMostRuns)) runs.push_back(number(one));
      if (runs.empty()) wrong("runs");
      made.figures.emplace_back(net::printable(name, kMostText), Samples(text(value, "unit"), std::move(runs)));
    }
    if (find(json, "remark") != nullptr) made.remark = text(json, "remark");
    return made;
  }

  // The known facts about a machine.
  Json machine(const Json& json) const {
    Json made = Json::object();
    for (const char* key : {"cpu", "cores", "memory", "kernel", "tacit", "commit"}) {
      if (std::string told = text_in(json, key); !told.empty()) made[key] = std::move(told);
      if (const std::int64_t told = count_in(json, key); told > 0) made[key] = told;
    }
    return made;
  }

  [[noreturn]] void wrong(std::string_view what) const {
    throw ConfigError(
        fmt::format("{} is no file of measurements: \"{}\" is missing or malformed; "
                    "`tacit bench` and the programs in bench/ write such files with --json",
                    net::printable(name_), what));
  }

 private:
  const std::string& name_;
};

std::string aims_text(const std::vector<Aim>& aims) {
  if (aims.empty()) return "";
  std::vector<std::vector<std::string>> rows = {{"aim", "wanted", "measured", ""}};
  for (const Aim& aim : aims) rows.push_back({aim.what, aim.wanted, aim.measured, aim.verdict()});
  return table(rows, 4) + "\n";
}

}  // namespace

Samples& Row::figure(const std::string& name, const std::string& unit) {
  const auto at = std::find_if(figures.begin(), figures.end(), [&](const auto& f) { return f.first == name; });
  if (at != figures.end()) return at->second;
  return figures.emplace_back(name, Samples(unit)).second;
}

const Samples* Row::find(const std::string& name) const {
  const auto at = std::find_if(figures.begin(), figures.end(), [&](const auto& f) { return f.first == name; });
  return at == figures.end() || at->second.empty() ? nullptr : &at->second;
}

std::string Row::label(const std::string& name) const {
  const auto at = std::find_if(labels.begin(), labels.end(), [&](const auto& one) { return one.first == name; });
  return at == labels.end() ? "" : at->second;
}

Row& Table::add(std::vector<std::pair<std::string, std::string>> labels) {
  return rows.emplace_back(Row{std::move(labels), {}, {}});
}

std::vector<std::vector<std::string>> Table::cells(Show show) const {
  const std::vector<std::string> labels = names_of_labels(*this);
  const auto figures = names_of_figures(*this);
  std::vector<std::vector<std::string>> lines = {labels};
  const bool remarks = has_remarks();
  if (remarks) lines[0].emplace_back();
  for (const auto& [figure, unit] : figures) lines[0].push_back(with_unit(figure, unit));
  for (const Row& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::string& label : labels) line.push_back(row.label(label));
    if (remarks) line.push_back(row.remark);
    for (const auto& [figure, unit] : figures) {
      const Samples* samples = row.find(figure);
      if (samples == nullptr) {
        line.push_back("-");
      } else {
        line.push_back(show == Show::kMedians ? samples->median_text() : samples->text());
      }
    }
  }
  return lines;
}

std::size_t Table::columns_of_words() const { return names_of_labels(*this).size() + (has_remarks() ? 1 : 0); }

bool Table::has_remarks() const {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.remark.empty(); });
}

std::string Table::csv() const {
  const std::vector<std::string> labels = names_of_labels(*this);
  const auto figures = names_of_figures(*this);
  std::vector<std::string> header = labels;
  for (const auto& [figure, unit] : figures) {
    const std::string column = unit.empty() ? figure : fmt::format("{} [{}]", figure, unit);
    header.insert(header.end(), {column, column + " min", column + " max", figure + " runs"});
  }
  const bool remarks = has_remarks();
  if (remarks) header.push_back("remark");
  std::string text = csv_line(header);
  for (const Row& row : rows) {
    std::vector<std::string> line;
    for (const std::string& label : labels) line.push_back(row.label(label));
    for (const auto& [figure, unit] : figures) {
      const Samples* s = row.find(figure);
      if (s == nullptr) {
        line.insert(line.end(), 4, "");
      } else {
        line.insert(line.end(), {fmt::format("{}", s->median()), fmt::format("{}", s->min()),
                                 fmt::format("{}", s->max()), std::to_string(s->values().size())});
      }
    }
    if (remarks) line.push_back(row.remark);
    text += csv_line(line);
  }
  return text;
}

Measurements::Measurements(std::string bench, std::string command)
    : bench_(std::move(bench)), command_(std::move(command)), machine_(this_machine()) {}

Measurements::Measurements(std::string bench, int argc, const char* const* argv) : Measurements(std::move(bench), "") {
  for (int i = 0; i < argc; ++i) command_ += (i > 0 ? " " : "") + std::string(argv[i]);
}

void Measurements::aim(Aim one, std::int64_t stated_epochs, std::int64_t epochs) {
  if (epochs == stated_epochs) return aim(std::move(one));
  std::string line =
      fmt::format("aims stated for {} epochs are not judged: this run had {} epochs", stated_epochs, epochs);
  if (std::find(notes_.begin(), notes_.end(), line) == notes_.end()) note(std::move(line));
}

Table& Measurements::table(const std::string& name, const std::string& about) {
  const auto at = std::find_if(tables_.begin(), tables_.end(), [&](const Table& one) { return one.name == name; });
  return at != tables_.end() ? *at : tables_.emplace_back(Table{name, about, {}});
}

const Table* Measurements::find(const std::string& name) const {
  const auto at = std::find_if(tables_.begin(), tables_.end(), [&](const Table& one) { return one.name == name; });
  return at == tables_.end() ? nullptr : &*at;
}

std::string Measurements::machine() const {
  std::string line = fmt::format("{}, {} cores, {}", text_in(machine_, "cpu"), count_in(machine_, "cores"),
                                 text_in(machine_, "kernel"));
  if (const std::string commit = text_in(machine_, "commit"); !commit.empty()) {
    line += fmt::format("; tacit at commit {}", commit);
  }
  return line;
}

std::string Measurements::text() const {
  std::string text;
  for (const Table& one : tables_) {
    if (tables_.size() > 1) text += one.name + "\n";
    const std::string whole = launcher::table(one.cells(), one.columns_of_words());
    // Prints medians alone if ranges would make lines too wide for a terminal.
    const bool fits = whole.find('\n') <= kWidest;
    text += (fits ? whole : launcher::table(one.cells(Table::Show::kMedians), one.columns_of_words())) + "\n";
  }
  text += aims_text(aims_);
  for (const std::string& line : notes_) text += line + "\n";
  return text;
}

Json Measurements::json() const {
  Json json = {{"bench", bench_}, {"command", command_}, {"machine", machine_}, {"tables", Json::array()}};
  for (const Table& one : tables_) json["tables"].push_back(json_of(one));
  json["aims"] = Json::array();
  for (const Aim& aim : aims_) {
    json["aims"].push_back({{"what", aim.what}, {"wanted", aim.wanted}, {"measured", aim.measured}});
    json["aims"].back()["met"] = aim.told ? Json(aim.met) : Json();
  }
  json["notes"] = notes_;
  if (seconds_ > 0) json["seconds"] = seconds_;
  return json;
}

std::string Measurements::json_text() const {
  Json whole = json();
  const Json tables = std::exchange(whole["tables"], Json::array());
  std::string told;
  for (Json table : tables) {
    std::string rows;
    for (const Json& row : std::exchange(table["rows"], Json::array())) {
      rows += (rows.empty() ? "\n   " : ",\n   ") + row.dump();
    }
    std::string text = table.dump();
    text.insert(text.rfind("[]") + 1, rows);
    told += (told.empty() ? "\n  " : ",\n  ") + text;
  }
  std::string text = whole.dump(1);
  text.insert(text.find("\"tables\": []") + 11, told);
  return text + "\n";
}

Measurements Measurements::from_json(const Json& json, const std::string& name) {
  const Reader reader(name);
  Measurements made(reader.text(json, "bench"), reader.text(json, "command"));
  const Json* machine = launcher::find(json, "machine");
  made.machine_ = machine == nullptr ? Json::object() : reader.machine(*machine);
  for (const Json& one : reader.list(json, "tables", kMostTables)) {
    Table& table = made.table(reader.text(one, "name"), reader.text(one, "about"));
    for (const Json& row : reader.list(one, "rows", kMostRows)) table.rows.push_back(reader.row(row));
  }
  for (const Json& one : reader.list(json, "aims", kMostNotes)) {
    const Json* met = launcher::find(one, "met");
    made.aim({reader.text(one, "what"), reader.text(one, "wanted"), reader.text(one, "measured"),
              met != nullptr && met->is_boolean() && met->get<bool>(), met == nullptr || !met->is_null()});
  }
  if (launcher::find(json, "seconds") != nullptr) made.seconds_ = reader.number(json["seconds"]);
  for (const Json& one : reader.list(json, "notes", kMostNotes)) {
    if (!one.is_string()) reader.wrong("notes");
    made.note(net::printable(one.get<std::string>(), 4 * kMostText));
  }
  return made;
}

void Measurements::finish(const std::string& json_file) const {
  std::fputs(text().c_str(), stdout);
  if (json_file.empty()) return;
  const std::string written = json_text();
  if (json_file == "-") {
    std::fputs(written.c_str(), stdout);
    return;
  }
  gnn::AtomicFile file(json_file);
  file.write(std::as_bytes(std::span(written)));
  file.commit();
}

}  // namespace tacit::launcher
