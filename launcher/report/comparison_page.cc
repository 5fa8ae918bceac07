#include "launcher/report/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "launcher/report/page.h"
#include "launcher/report/predictions.h"
#include "launcher/report/run_figures.h"
#include "launcher/report/run_page.h"

namespace tacit::launcher {

namespace {

using Row = Page::Row;

std::string last_components(const std::filesystem::path& path, int count) {
  std::filesystem::path end;
  std::filesystem::path rest = std::filesystem::absolute(path).lexically_normal();
  if (!rest.has_filename()) rest = rest.parent_path();
  for (int i = 0; i < count && rest.has_filename(); ++i, rest = rest.parent_path()) {
    end = end.empty() ? rest.filename() : rest.filename() / end;
  }
  return end.string();
}

// "Time per epoch" as it is written within a sentence; "CPU time" stays.
std::string within_a_line(std::string title) {
  const bool word = title.size() > 1 && std::islower(static_cast<unsigned char>(title[1])) != 0;
  if (word) title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
  return title;
}

class ComparisonPage {
 public:
  explicit ComparisonPage(const std::vector<RunAccount>& runs)
      : runs_(runs), figures_(figures_of(runs)), page_(fmt::format("{} runs — Tacit", runs.size())) {}

  std::string take() {
    page_.heading(fmt::format("Comparison of {} runs", runs_.size()),
                  "What one run did, `tacit report` tells of its folder alone.");
    tell_results();
    tell_differences();
    tell_figures("What was learnt", "The loss is that of the training nodes before each epoch’s steps.",
                 figures_.learning, "No loss was revealed to a rank whose account is here.");
    tell_figures("What an epoch costs", "As measured, over all ranks that left an account.", figures_.epochs,
                 "No epoch has ended yet.");
    tell_reveals();
    tell_folders();
    return page_.take();
  }

 private:
  Row header() const {
    Row row = {""};
    for (const RunAccount& run : runs_) row.push_back(run.label);
    return row;
  }

  template <typename TextOf>
  Row row(const std::string& name, const TextOf& text_of_run) const {
    Row row = {name};
    for (const RunAccount& run : runs_) row.push_back(text_of_run(run));
    return row;
  }

  std::vector<std::string> readings() const {
    std::vector<std::string> all;
    for (const RunAccount& run : runs_) {
      for (const std::string& what : kinds_of_readings(run.teller())) {
        if (std::find(all.begin(), all.end(), what) == all.end()) all.push_back(what);
      }
    }
    return all;
  }

  static std::string or_none(const std::optional<double>& value, Quantity quantity = Quantity::kNumber) {
    return value ? text_of(quantity, *value) : kNoFigure;
  }

  void tell_results() {
    page_.begin_section("Results");
    std::vector<Row> rows = {
        row("result", [](const RunAccount& run) { return run.result(); }),
        row("parties",
            [](const RunAccount& run) { return run.parties() > 0 ? std::to_string(run.parties()) : kNoFigure; }),
        row("epochs", [](const RunAccount& run) { return grouped(std::ssize(run.teller().epochs)); }),
        row("training loss", [](const RunAccount& run) { return or_none(last(losses_of(run.teller()))); })};
    for (const std::string& what : readings()) {
      rows.push_back(row(what, [&](const RunAccount& run) { return or_none(last(readings_of(run.teller(), what))); }));
      if (std::none_of(runs_.begin(), runs_.end(), [](const RunAccount& run) { return run.plain.has_value(); }))
        continue;
      rows.push_back(row(what + ", plain data", [&](const RunAccount& run) {
        return or_none(run.plain ? last(readings_of(*run.plain, what)) : std::nullopt);
      }));
    }
    for (const EpochMeasure& measure : epoch_measures()) {
      const std::string whose = measure.adds_up ? ", all ranks, median" : ", median";
      rows.push_back(row(within_a_line(measure.title) + (measure.name == "memory" ? "" : whose),
                         [&](const RunAccount& run) { return cost_of(run, measure); }));
    }
    rows.push_back(row("predicted against measured", [](const RunAccount& run) -> std::string {
      const std::vector<Prediction> all = predictions_of(run);
      if (all.empty()) return kNoFigure;
      return std::all_of(all.begin(), all.end(), [](const Prediction& one) { return one.equal(); }) ? "equal"
                                                                                                    : "differ";
    }));
    page_.table(header(), rows);
    page_.end_section();
  }

  static std::string cost_of(const RunAccount& run, const EpochMeasure& measure) {
    const bool at_end = measure.name == "memory";
    return or_none(at_end ? last(points_of(run, measure)) : median_of(run, measure), measure.quantity);
  }

  void tell_differences() {
    page_.begin_section("Settings that differ", "Of those that all ranks of a job have alike.");
    std::vector<Row> rows;
    std::set<std::string> seen;
    for (const RunAccount& run : runs_) {
      for (const ToldSetting& one : run.settings) {
        if (!seen.insert(one.key).second) continue;
        Row its = row(one.key, [&](const RunAccount& other) {
          const std::string value = other.setting(one.key);
          return value.empty() ? kNoFigure : value;
        });
        if (std::any_of(its.begin() + 1, its.end(), [&](const std::string& value) { return value != its[1]; })) {
          rows.push_back(std::move(its));
        }
      }
    }
    if (rows.empty()) {
      page_.paragraph("None.");
    } else {
      page_.table(header(), rows);
    }
    page_.end_section();
  }

  void tell_figures(const std::string& title, const std::string& about, const std::vector<Figure>& figures,
                    const std::string& otherwise) {
    page_.begin_section(title, about);
    if (std::all_of(figures.begin(), figures.end(), [](const Figure& one) { return is_empty(one); })) {
      page_.paragraph(otherwise);
    }
    page_.figures(figures);
    page_.end_section();
  }

  void tell_reveals() {
    page_.begin_section("What was revealed", "As often as it was, in all sessions of a run that has ended well.");
    std::vector<std::pair<std::string, std::string>> all;
    for (const RunAccount& run : runs_) {
      for (const ToldReveal& one : reveals_of(run)) {
        const std::pair key(one.what, one.to);
        if (std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
      }
    }
    std::vector<Row> rows;
    for (const auto& [what, to] : all) {
      rows.push_back(
          row(fmt::format("{} (to {})", what, to), [&, &w = what, &t = to](const RunAccount& run) -> std::string {
            for (const ToldReveal& one : reveals_of(run)) {
              if (one.what == w && one.to == t) return grouped(one.count);
            }
            return kNoFigure;
          }));
    }
    if (rows.empty()) {
      page_.paragraph("No run has told of any.");
    } else {
      page_.table(header(), rows);
    }
    page_.end_section();
  }

  static const std::vector<ToldReveal>& reveals_of(const RunAccount& run) {
    for (const RankAccount& account : run.ranks) {
      if (!account.reveals.empty()) return account.reveals;
    }
    return run.ranks.front().reveals;
  }

  void tell_folders() {
    page_.begin_section("The runs");
    std::vector<Row> rows;
    for (const RunAccount& run : runs_) rows.push_back({run.label, run.name(), in_a_sentence(run), run.folder});
    page_.table({"run", "job", "", "read from"}, rows, 4);
    page_.paragraph(threat_model(runs_.front()), "note");
    for (const RunAccount& run : runs_) {
      for (const std::string& complaint : run.complaints) {
        page_.paragraph(fmt::format("{}: {}", run.label, complaint), "warning");
      }
    }
    page_.paragraph("Written by tacit " TACIT_VERSION ".", "about");
    page_.end_section();
  }

  const std::vector<RunAccount>& runs_;
  const ComparedFigures figures_;
  Page page_;
};

}  // namespace

std::vector<std::string> labels_of(const std::vector<std::string>& folders) {
  constexpr int kMostComponents = 16;
  for (int count = 1; count <= kMostComponents; ++count) {
    std::vector<std::string> labels;
    for (const std::string& folder : folders) labels.push_back(last_components(folder, count));
    if (std::set(labels.begin(), labels.end()).size() == folders.size()) return labels;
  }
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < folders.size(); ++i) labels.push_back(fmt::format("run {}", i + 1));
  return labels;
}

std::string page_of(const std::vector<RunAccount>& runs) { return ComparisonPage(runs).take(); }

}  // namespace tacit::launcher
