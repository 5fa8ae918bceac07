#include "launcher/report/report.h"

#include <fmt/format.h>

#include <set>

#include "gnn/data/atomic_file.h"
#include "launcher/report/comparison_page.h"
#include "launcher/report/predictions.h"
#include "launcher/report/run_figures.h"
#include "launcher/report/run_page.h"
#include "net/error.h"
#include "net/printable.h"
#include "net/private_folder.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

std::vector<Figure> all_figures(const std::vector<RunAccount>& runs) {
  std::vector<Figure> all;
  const auto add = [&](std::vector<Figure> figures) {
    for (Figure& figure : figures) {
      if (!is_empty(figure)) all.push_back(std::move(figure));
    }
  };
  if (runs.size() > 1) {
    const ComparedFigures figures = figures_of(groups_of(runs));
    add(figures.learning);
    add(figures.epochs);
  } else {
    const RunFigures figures = figures_of(runs.front());
    for (const auto* some : {&figures.learning, &figures.epochs, &figures.protocols, &figures.phases}) add(*some);
  }
  return all;
}

Json in_short(const RunAccount& run) {
  const RankAccount& teller = run.teller();
  Json json = {{"folder", run.folder},
               {"name", run.name()},
               {"result", run.result()},
               {"parties", run.parties()},
               {"epochs", teller.epochs.size()}};
  const auto loss = last(losses_of(teller));
  json["loss"] = loss ? Json(*loss) : Json(nullptr);
  json["readings"] = Json::array();
  for (const std::string& what : kinds_of_readings(teller)) {
    Json reading = {{"what", what}, {"value", *result_of_reading(teller, what)}};
    if (const auto plain = run.plain ? result_of_reading(*run.plain, what) : std::nullopt) reading["plain"] = *plain;
    if (std::string shown = shown_kind(teller, what); shown != what) reading["shown"] = std::move(shown);
    json["readings"].push_back(std::move(reading));
  }
  json["median_epoch"] = Json::object();
  for (const EpochMeasure& measure : epoch_measures()) {
    const auto value = median_of(run, measure);
    json["median_epoch"][measure.name] = value ? Json(*value) : Json(nullptr);
  }
  json["predictions"] = Json::array();
  for (const Prediction& one : predictions_of(run)) {
    json["predictions"].push_back({{"who", one.who},
                                   {"what", one.what},
                                   {"stated", one.stated},
                                   {"measured", one.measured},
                                   {"equal", one.equal()}});
  }
  json["ranks"] = Json::array();
  for (const RankAccount& account : run.ranks) json["ranks"].push_back(json_of(account));
  json["complaints"] = run.complaints;
  return json;
}

}  // namespace

Report::Report(const std::vector<std::string>& folders) {
  if (folders.size() > kMostCompared) {
    throw ConfigError(
        fmt::format("{} runs are more than one page compares; name at most {}", folders.size(), kMostCompared));
  }
  const std::vector<std::string> labels = labels_of(folders);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    runs_.push_back(read_run(folders[i]));
    runs_.back().label = labels[i];
  }
}

std::string Report::page() const { return runs_.size() == 1 ? page_of(runs_.front()) : page_of(runs_); }

std::vector<std::string> Report::write_figures(const fs::path& folder) const {
  if (const std::error_code failed = net::make_folder(folder)) {
    throw ConfigError(fmt::format("{} cannot be made: {}; name another folder with --figures",
                                  net::printable(folder.string()), failed.message()));
  }
  std::vector<std::string> files;
  std::set<std::string> taken;
  for (const Figure& figure : all_figures(runs_)) {
    std::string name = name_of(figure);
    for (int again = 2; !taken.insert(name).second; ++again) name = fmt::format("{}-{}", name_of(figure), again);
    files.push_back(folder / (name + ".csv"));
    write_page(files.back(), csv_of(figure));
  }
  return files;
}

Json Report::json() const {
  Json json = {{"runs", Json::array()}, {"figures", Json::array()}};
  for (const RunAccount& run : runs_) json["runs"].push_back(in_short(run));
  for (const Figure& figure : all_figures(runs_)) json["figures"].push_back(json_of(figure));
  return json;
}

void write_page(const fs::path& file, const std::string& text) {
  gnn::AtomicFile out(file);
  out.write(std::as_bytes(std::span(text)));
  out.commit();
}

WrittenReport report_of_run(const fs::path& output, fs::path file) {
  try {
    if (!holds_a_run(output)) return {};
    if (file.empty()) file = output / "report.html";
    write_page(file, Report({output.string()}).page());
    return {file.string(), ""};
  } catch (const std::exception& error) {
    return {"", net::printable(error.what(), 500)};
  }
}

}  // namespace tacit::launcher
