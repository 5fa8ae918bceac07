// Measurements — the results of a benchmark: tables for people, JSON for pictures and comparisons, CSV for others.
//
// No figure without its command, machine and number of runs: a row holds all samples, and shows median, least and most.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "bench/tables/samples.h"
#include "launcher/json.h"

namespace tacit::launcher {

// One line of a table: varied settings (labels) and results (figures), each in the order in which they were added.
struct Row {
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::pair<std::string, Samples>> figures;
  std::string remark;  // about the results, in words; often ""

  Samples& figure(const std::string& name, const std::string& unit);  // made on first use
  const Samples* find(const std::string& name) const;                 // null: the row has no such figure
  std::string label(const std::string& name) const;                   // "": the row has no such label
};

struct Table {
  std::string name, about;
  std::deque<Row> rows;  // a deque, since references to rows stay valid

  Row& add(std::vector<std::pair<std::string, std::string>> labels);

  // A header, then a line for each row: labels, remarks if there are any, and figures in the form for people. Columns
  // are in the order of first occurrence.
  enum class Show { kMediansAndRanges, kMedians };
  std::vector<std::vector<std::string>> cells(Show show = Show::kMediansAndRanges) const;
  std::size_t columns_of_words() const;  // labels and remarks: the first columns of cells()
  bool has_remarks() const;
  // The same for programs: for each figure the median, the minimum, the maximum and the number of runs.
  std::string csv() const;
};

// An aim, in words. If this run cannot tell whether the aim is met, `told` is false, and `measured` says why.
struct Aim {
  std::string what, wanted, measured;
  bool met = false;
  bool told = true;

  const char* verdict() const { return !told ? "cannot be told" : met ? "met" : "NOT met"; }
};

class Measurements {
 public:
  Measurements(std::string bench, std::string command);
  Measurements(std::string bench, int argc, const char* const* argv);  // the arguments of main

  Table& table(const std::string& name, const std::string& about = "");  // made on first use
  const Table* find(const std::string& name) const;
  Row& add(std::vector<std::pair<std::string, std::string>> labels) { return table(bench_).add(std::move(labels)); }
  void aim(Aim aim) { aims_.push_back(std::move(aim)); }
  // An aim stated for runs of `stated_epochs`. A run of another length is not judged: one note says so.
  void aim(Aim aim, std::int64_t stated_epochs, std::int64_t epochs);
  void note(std::string line) { notes_.push_back(std::move(line)); }  // a caveat
  void took(double seconds) { seconds_ = seconds; }

  const std::string& bench() const { return bench_; }
  const std::string& command() const { return command_; }
  const std::deque<Table>& tables() const { return tables_; }
  const std::vector<Aim>& aims() const { return aims_; }
  const std::vector<std::string>& notes() const { return notes_; }
  double seconds() const { return seconds_; }  // the time of all runs; 0: unknown
  // The machine in one line: processor, cores, system; version and commit of Tacit.
  std::string machine() const;

  std::string text() const;
  Json json() const;
  std::string json_text() const;  // a line for each row
  // Reads the output of json(); a figure that is null is absent. `name` is the file's. Throws ConfigError that names the wrong field.
  static Measurements from_json(const Json& json, const std::string& name);

  // Prints the text, and writes the JSON to `json_file` unless that is empty ("-": standard output).
  void finish(const std::string& json_file) const;

 private:
  std::string bench_, command_;
  Json machine_;
  std::deque<Table> tables_;
  std::vector<Aim> aims_;
  std::vector<std::string> notes_;
  double seconds_ = 0;
};

}  // namespace tacit::launcher
