#include "launcher/report/comparison_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "launcher/report/page.h"
#include "launcher/report/predictions.h"
#include "launcher/report/run_figures.h"
#include "launcher/report/run_in_words.h"

namespace tacit::launcher {

namespace {

using Rows = std::vector<TextRow>;
using Groups = std::vector<RunGroup>;

std::string last_components(const std::filesystem::path& path, int count) {
  std::filesystem::path end;
  std::filesystem::path rest = std::filesystem::absolute(path).lexically_normal();
  if (!rest.has_filename()) rest = rest.parent_path();
  for (int i = 0; i < count && rest.has_filename(); ++i, rest = rest.parent_path()) {
    end = end.empty() ? rest.filename() : rest.filename() / end;
  }
  return end.string();
}

// "Time per epoch" within a sentence; "CPU time" stays.
std::string within_a_line(std::string title) {
  const bool word = title.size() > 1 && std::islower(static_cast<unsigned char>(title[1])) != 0;
  if (word) title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
  return title;
}

// A row of texts: the distinct ones of a group's runs.
template <typename TextOf>
TextRow row_of_texts(const Groups& groups, const std::string& name, const TextOf& text_of_run) {
  TextRow row = {name};
  for (const RunGroup& group : groups) {
    TextRow texts;
    for (const RunAccount* run : group.runs) {
      const std::string text = text_of_run(*run);
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
    }
    row.push_back(fmt::format("{}", fmt::join(texts, ", ")));
  }
  return row;
}

// A row of numbers: the mean and the deviation over the runs of a group that have the number.
template <typename ValueOf>
TextRow row_of_numbers(const Groups& groups, const std::string& name, Quantity quantity, const ValueOf& value_of_run) {
  TextRow row = {name};
  for (const RunGroup& group : groups) {
    std::vector<double> values;
    for (const RunAccount* run : group.runs) {
      if (const std::optional<double> value = value_of_run(*run)) values.push_back(*value);
    }
    std::string text = values.empty() ? kNoFigure : text_of(quantity, mean_and_deviation(values).mean);
    if (values.size() > 1) {
      const double deviation = mean_and_deviation(values).deviation;
      text += deviation == 0 ? " ± 0" : " ± " + text_of(quantity, deviation);
    }
    if (!values.empty() && values.size() < group.runs.size()) {
      text += fmt::format(" ({} of {} runs)", values.size(), group.runs.size());
    }
    row.push_back(std::move(text));
  }
  return row;
}

const std::vector<ToldReveal>& reveals_of(const RunAccount& run) {
  for (const RankAccount& account : run.ranks) {
    if (!account.reveals.empty()) return account.reveals;
  }
  return run.ranks.front().reveals;
}

class ComparisonPage {
 public:
  explicit ComparisonPage(const std::vector<RunAccount>& runs)
      : runs_(runs),
        groups_(groups_of(runs)),
        figures_(figures_of(groups_)),
        page_(fmt::format("{} runs — Tacit", runs.size())) {}

  std::string take() {
    const bool seeds = groups_.size() < runs_.size();
    page_.heading(fmt::format("Comparison of {} runs", runs_.size()),
                  seeds ? "Runs that differ in training.seed alone are one column: mean ± standard deviation."
                        : "`tacit report` of one folder shows everything about its run.");
    tell_results(seeds);
    tell_differences();
    tell_figures("Learning", "The loss of an epoch is the training loss before the epoch’s steps.", figures_.learning,
                 "No rank with an account here learned a loss.");
    tell_figures("Cost of an epoch", "As measured, over all ranks that left an account.", figures_.epochs,
                 "No epoch has ended yet.");
    tell_reveals();
    tell_folders();
    return page_.take();
  }

 private:
  static TextRow header(const Groups& groups) {
    TextRow row = {""};
    for (const RunGroup& group : groups) row.push_back(group.label);
    return row;
  }

  void tell_results(bool seeds) {
    page_.begin_section("Results");
    page_.table(header(groups_), results(groups_));
    if (seeds) {
      Groups single;
      for (const RunAccount& run : runs_) single.push_back({run.label, {&run}});
      page_.begin_details("each run");
      page_.table(header(single), results(single));
      page_.end_details();
    }
    page_.end_section();
  }

  Rows results(const Groups& groups) const {
    constexpr Quantity kNumber = Quantity::kNumber;
    Rows rows = {
        row_of_texts(groups, "result", [](const RunAccount& run) { return run.result(); }),
        row_of_texts(
            groups, "parties",
            [](const RunAccount& run) { return run.parties() > 0 ? std::to_string(run.parties()) : kNoFigure; }),
        row_of_texts(groups, "epochs", [](const RunAccount& run) { return grouped(std::ssize(run.teller().epochs)); }),
        row_of_numbers(groups, "training loss", kNumber,
                       [](const RunAccount& run) { return last(losses_of(run.teller())); })};
    const bool plain = std::any_of(runs_.begin(), runs_.end(), [](const RunAccount& run) { return !!run.plain; });
    for (const std::string& what : kinds_of_readings(groups)) {
      const std::string shown = shown_kind(groups, what);
      rows.push_back(row_of_numbers(groups, shown, kNumber,
                                    [&](const RunAccount& run) { return result_of_reading(run.teller(), what); }));
      if (!plain) continue;
      rows.push_back(row_of_numbers(groups, shown + ", plain data", kNumber, [&](const RunAccount& run) {
        return run.plain ? result_of_reading(*run.plain, what) : std::nullopt;
      }));
    }
    for (const EpochMeasure& measure : epoch_measures()) {
      const bool at_end = measure.name == "memory";
      const std::string whose = at_end ? "" : measure.adds_up ? ", all ranks, median" : ", median";
      rows.push_back(row_of_numbers(
          groups, within_a_line(measure.title) + whose, measure.quantity,
          [&](const RunAccount& run) { return at_end ? last(points_of(run, measure)) : median_of(run, measure); }));
    }
    rows.push_back(row_of_texts(groups, "predicted against measured", [](const RunAccount& run) -> std::string {
      const std::vector<Prediction> all = predictions_of(run);
      if (all.empty()) return kNoFigure;
      const bool equal = std::all_of(all.begin(), all.end(), [](const Prediction& one) { return one.equal(); });
      return equal ? "equal" : "differ";
    }));
    return rows;
  }

  void tell_differences() {
    page_.begin_section("Settings that differ", "Only settings that all ranks of a job share.");
    Rows rows;
    std::set<std::string> seen;
    for (const RunAccount& run : runs_) {
      for (const ToldSetting& one : run.settings) {
        if (!seen.insert(one.key).second) continue;
        const auto value_of = [&](const RunAccount& other) {
          const std::string value = other.setting(one.key);
          return value.empty() ? kNoFigure : value;
        };
        const std::string first = value_of(runs_.front());
        if (std::any_of(runs_.begin(), runs_.end(),
                        [&](const RunAccount& other) { return value_of(other) != first; })) {
          rows.push_back(row_of_texts(groups_, one.key, value_of));
        }
      }
    }
    if (rows.empty()) page_.paragraph("None.");
    page_.table(header(groups_), rows);
    page_.end_section();
  }

  void tell_figures(const std::string& title, const std::string& about, const std::vector<Figure>& figures,
                    const std::string& otherwise) {
    page_.begin_section(title, about);
    if (std::all_of(figures.begin(), figures.end(), is_empty)) page_.paragraph(otherwise);
    page_.figures(figures);
    page_.end_section();
  }

  void tell_reveals() {
    page_.begin_section("What was revealed", "How often, in all sessions of a run that has ended well.");
    std::vector<std::pair<std::string, std::string>> all;
    for (const RunAccount& run : runs_) {
      for (const ToldReveal& one : reveals_of(run)) {
        const std::pair key(one.what, one.to);
        if (std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
      }
    }
    Rows rows;
    for (const auto& key : all) {
      rows.push_back(row_of_texts(groups_, fmt::format("{} (to {})", key.first, key.second),
                                  [&](const RunAccount& run) -> std::string {
                                    for (const ToldReveal& one : reveals_of(run)) {
                                      if (one.what == key.first && one.to == key.second) return grouped(one.count);
                                    }
                                    return kNoFigure;
                                  }));
    }
    if (rows.empty()) page_.paragraph("No run lists any.");
    page_.table(header(groups_), rows);
    page_.end_section();
  }

  void tell_folders() {
    page_.begin_section("The runs");
    Rows rows;
    for (const RunAccount& run : runs_) {
      rows.push_back({run.label, run.name(), run.result() + " · " + in_a_sentence(run), run.folder});
    }
    page_.table({"run", "job", "", "read from"}, rows, 4);
    page_.paragraph(threat_model(runs_.front()), "note");
    for (const RunAccount& run : runs_) {
      for (const std::string& complaint : run.complaints) {
        page_.paragraph(fmt::format("{}: {}", run.label, complaint), "warning");
      }
    }
    page_.end_section();
  }

  const std::vector<RunAccount>& runs_;
  const Groups groups_;
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
