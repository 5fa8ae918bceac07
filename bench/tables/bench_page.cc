#include "bench/tables/bench_page.h"

#include <algorithm>
#include <map>
#include <set>

#include "bench/tables/bench_figures.h"
#include "bench/tables/documents.h"
#include "bench/tables/others.h"
#include "launcher/report/page.h"
#include "launcher/unit_text.h"

namespace tacit::launcher {

namespace {

const std::map<std::string, std::string>& titles() {
  static const std::map<std::string, std::string> all = {{"scaling", "How cost grows with the parties"},
                                                         {"two-machine", "Two machines"},
                                                         {"accuracy", "Accuracy, beside plain models"},
                                                         {"divergence", "The exploding loss, mapped"},
                                                         {"breakdown", "Where an epoch goes"},
                                                         {"privacy", "Private training, and what attacks find"},
                                                         {"data-parallel", "Private training, data-parallel"},
                                                         {"gradients", "Synchronising gradients"},
                                                         {"sweep", "One thing after the other"},
                                                         {"collectives", "Moving bytes"},
                                                         {"preprocessing", "Cleaning a raw table"}};
  return all;
}

std::string title_of(const Measurements& one) {
  const auto known = titles().find(one.bench());
  return known == titles().end() ? one.bench() : known->second;
}

void tell_table(const Table& table, bool folded, Page& page) {
  const std::vector<std::vector<std::string>> cells = table.cells();
  if (cells.size() < 2) return;
  const std::string about = table.about.empty() ? table.name : table.name + ": " + table.about;
  if (folded) {
    page.begin_details(about);
  } else {
    page.paragraph(about, "about");
  }
  page.table(cells.front(), {cells.begin() + 1, cells.end()}, table.columns_of_words());
  if (folded) page.end_details();
}

void tell_aims(const std::vector<Measurements>& all, Page& page) {
  std::vector<TextRow> rows;
  for (const Measurements& one : all) {
    for (const Aim& aim : one.aims()) {
      rows.push_back({one.bench(), aim.what, aim.wanted, aim.measured, aim.verdict()});
    }
  }
  if (rows.empty()) return;
  page.begin_section("Aims", "The aims, and the measurements of this machine.");
  page.table({"benchmark", "what", "wanted", "measured", ""}, rows, 5);
  page.end_section();
}

void tell_times(const std::vector<Measurements>& all, Page& page) {
  std::vector<TextRow> rows;
  double sum = 0;
  for (const Measurements& one : all) {
    if (one.seconds() <= 0) continue;
    rows.push_back({one.bench(), duration_text(one.seconds())});
    sum += one.seconds();
  }
  if (rows.empty()) return;
  if (rows.size() > 1) rows.push_back({"all", duration_text(sum)});
  page.begin_section("Time", "The time that each benchmark took.");
  page.table({"benchmark", "time"}, rows, 1);
  page.end_section();
}

// Each document's tables and figures, ours beside them, and the command that measures ours.
void tell_documents(const std::vector<Measurements>& all, Page& page) {
  const auto command_of = [&](const std::string& bench) {
    const auto one =
        std::find_if(all.begin(), all.end(), [&](const Measurements& its) { return its.bench() == bench; });
    return one == all.end() ? "tacit bench " + bench : one->command();
  };
  for (const Document& document : documents(all)) {
    page.begin_section(document.name, "The document's statements, our measurements, and verdicts.");
    std::vector<TextRow> rows;
    for (const Answered& one : document.places) {
      rows.push_back(
          {one.place, one.theirs, one.ours.empty() ? "not measured" : one.ours, one.verdict, command_of(one.bench)});
    }
    page.table({"table or figure", "the document", "here", "verdict", "command"}, rows, 5);
    page.end_section();
  }
}

void tell(const Measurements& one, Page& page) {
  constexpr std::size_t kManyRows = 12;
  page.begin_section(title_of(one), one.command());
  page.figures(figures_of(one));
  for (const Table& table : one.tables()) {
    tell_table(table, table.rows.size() > kManyRows && !table.has_remarks(), page);
  }
  for (const Measurements& other : others(one.bench())) {
    tell_table(other.tables().front(), true, page);
    for (const std::string& note : other.notes()) page.paragraph(note, "about");
  }
  for (const std::string& note : one.notes()) page.paragraph(note, "note");
  page.paragraph(one.machine(), "about");
  page.end_section();
}

}  // namespace

std::string bench_page(const std::vector<Measurements>& all) {
  Page page("Tacit: measurements");
  page.heading(
      "Measurements",
      "Medians of repeated runs, the least and the most in brackets. Tacit's were measured on the machine that "
      "each section names; others' on their own machines, on other days, and partly with other data: the "
      "distances between the lines are orders of magnitude, not percentages.");
  tell_documents(all, page);
  tell_aims(all, page);
  for (const Measurements& one : all) tell(one, page);
  tell_times(all, page);
  return page.take();
}

}  // namespace tacit::launcher
