#include "bench/tables/divergence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/moved_twins.h"
#include "bench/tables/rates.h"
#include "bench/tables/training_end.h"
#include "launcher/report/quantity.h"
#include "launcher/run/run_failed.h"

namespace tacit::launcher {

namespace {

constexpr double kAllowed = 0.01;  // part of the twin's last loss

// One training on shares, and the same training of the twin.
struct Cell {
  double rate = 0;
  int parties = 0, seed = 0;
  TrainingEnd ours, twin;
  LastLosses moved;  // moved twins' losses; set only if the twin trains

  BesideTwin kind() const { return beside_twin(ours, twin); }
  bool agrees() const { return kind() == BesideTwin::kTrains || kind() == BesideTwin::kDivergesAlike; }
  // The last losses differ by this part of the twin's loss. Nullopt unless both have trained.
  std::optional<double> difference() const {
    if (kind() != BesideTwin::kTrains || !ours.loss || !twin.loss || *twin.loss == 0) return std::nullopt;
    return std::abs(*ours.loss / *twin.loss - 1);
  }
  bool is_close() const { return moved.admit(*ours.loss, kAllowed * *twin.loss); }
  std::string place() const {
    return fmt::format("rate {}, {}, seed {}", text_of_rate(rate), parties_text(parties), seed);
  }

  static std::string parties_text(int parties) {
    return parties == 1 ? std::string("1 party") : fmt::format("{} parties", parties);
  }
};

// "trains", "diverges, epoch 6": the ends of all seeds, and how many seeds have each if they differ.
std::string text_of(const std::vector<TrainingEnd>& ends) {
  std::string text;
  for (const auto kind : {TrainingEnd::Kind::kTrained, TrainingEnd::Kind::kDiverged, TrainingEnd::Kind::kLeftRange}) {
    std::vector<TrainingEnd> alike;
    std::copy_if(ends.begin(), ends.end(), std::back_inserter(alike),
                 [&](const auto& one) { return one.kind == kind; });
    if (alike.empty()) continue;
    text += (text.empty() ? "" : "; ") + alike.front().word();
    if (alike.size() < ends.size()) text += fmt::format(" in {} of {}", alike.size(), ends.size());
    if (kind == TrainingEnd::Kind::kTrained) continue;
    const auto [least, most] =
        std::minmax_element(alike.begin(), alike.end(), [](const auto& a, const auto& b) { return a.epoch < b.epoch; });
    text += least->epoch == most->epoch ? fmt::format(", epoch {}", least->epoch)
                                        : fmt::format(", epochs {} to {}", least->epoch, most->epoch);
  }
  return text;
}

class Divergence {
 public:
  Divergence(Trials& trials, const DivergenceOptions& options, const std::string& command, Console& console)
      : trials_(trials), options_(options), console_(console), made_("divergence", command) {}

  Measurements take() {
    Table& map =
        made_.table("map", "The end of the twin's training, and of the training on shares by its number of parties.");
    for (int seed = 1; seed <= options_.seeds; ++seed) train_all(seed);
    for (const double rate : options_.rates) add_row(rate, map);
    list_trainings();
    add_aims();
    add_notes();
    return std::move(made_);
  }

 private:
  void train_all(int seed) {
    gnn::SensorsOptions data;
    data.seed = static_cast<std::uint64_t>(seed);
    const gnn::GraphData whole = gnn::make_sensors(data);
    for (std::size_t i = 0; i < options_.rates.size(); ++i) {
      const double rate = options_.rates[i];
      const TrainingEnd twin = end_of_twin(job_of(options_.parties.front(), rate, seed), whole);
      LastLosses moved;
      if (twin.trained() && twin.loss) {
        moved = losses_of_moved_twins(job_of(options_.parties.front(), rate, seed), whole, *twin.loss);
      }
      for (const int parties : options_.parties) {
        const std::string name = fmt::format("divergence-rate{}-n{}-{}", i + 1, parties, seed);
        const RunAccount run = trials_.run_to_any_end(name, job_of(parties, rate, seed), whole);
        const auto ours = end_on_shares(run);
        if (!ours) {
          throw RunFailed(static_cast<int>(Exit::kConfig), fmt::format("{}: {}", name, run.teller().error), "");
        }
        cells_.push_back({rate, parties, seed, *ours, twin, moved});
        tell(cells_.back());
      }
    }
  }

  Job job_of(int parties, double rate, int seed) const {
    Job job = demo_job(parties, options_.epochs);
    job.training.rate.initial = rate;
    job.training.seed = static_cast<std::uint64_t>(seed);
    return job;
  }

  void tell(const Cell& cell) {
    console_.say(fmt::format("divergence: {}: {}; the twin {}", cell.place(), told(cell.ours), told(cell.twin)));
  }

  static std::string told(const TrainingEnd& end) {
    const std::string loss = end.loss ? fmt::format(", last loss {}", number_text(*end.loss)) : "";
    return text_of(std::vector<TrainingEnd>{end}) + loss;
  }

  template <typename Wanted>
  std::vector<Cell> cells_with(const Wanted& wanted) const {
    std::vector<Cell> some;
    std::copy_if(cells_.begin(), cells_.end(), std::back_inserter(some), wanted);
    return some;
  }

  void add_row(double rate, Table& map) const {
    std::vector<TrainingEnd> twins;
    std::vector<std::pair<std::string, std::string>> labels = {{"rate", text_of_rate(rate)}, {"twin", ""}};
    for (const int parties : options_.parties) {
      std::vector<TrainingEnd> ours;
      twins.clear();
      for (const Cell& cell : cells_with([&](const Cell& c) { return c.rate == rate && c.parties == parties; })) {
        ours.push_back(cell.ours);
        twins.push_back(cell.twin);
      }
      labels.emplace_back(Cell::parties_text(parties), text_of(ours));
    }
    labels[1].second = text_of(twins);
    map.add(std::move(labels));
  }

  void list_trainings() {
    Table& table = made_.table(
        "trainings",
        "Each training on shares beside its twin. The last loss is the last one before an early end; the difference "
        "is relative to the twin's loss.");
    for (const Cell& cell : cells_) {
      Row& row = table.add({{"rate", text_of_rate(cell.rate)},
                            {"parties", std::to_string(cell.parties)},
                            {"seed", std::to_string(cell.seed)},
                            {"on shares", cell.ours.word()},
                            {"twin", cell.twin.word()},
                            {"beside the twin", text_of(cell.kind())}});
      row.figure("last epoch on shares", "").add(static_cast<double>(cell.ours.epoch));
      row.figure("last epoch of the twin", "").add(static_cast<double>(cell.twin.epoch));
      if (cell.ours.loss) row.figure("last loss on shares", "").add(*cell.ours.loss);
      if (cell.twin.loss) row.figure("last loss of the twin", "").add(*cell.twin.loss);
      if (const auto difference = cell.difference()) {
        row.figure("difference", "%").add(100 * *difference);
        row.figure("range of moved twins", "%").add(100 * cell.moved.range() / *cell.twin.loss);
      }
    }
  }

  void add_aims() {
    const std::vector<Cell> unlike = cells_with([](const Cell& cell) { return !cell.agrees(); });
    std::string measured = fmt::format("{} of {} trainings differ", unlike.size(), cells_.size());
    if (!unlike.empty())
      measured += fmt::format(", first {}: {}", unlike.front().place(), text_of(unlike.front().kind()));
    made_.aim({"a training on shares diverges where its twin does, and nowhere else", "no training differs", measured,
               unlike.empty()});
    const std::vector<Cell> both = cells_with([](const Cell& cell) { return cell.difference().has_value(); });
    if (both.empty()) return;
    const auto is_far = [](const Cell& cell) { return !cell.is_close(); };
    std::string distances = largest(both);
    const std::vector<Cell> steady = cells_with(
        [](const Cell& cell) { return cell.difference() && cell.moved.range() <= kAllowed * *cell.twin.loss; });
    if (!steady.empty() && steady.size() < both.size()) {
      distances +=
          fmt::format("; {} where moved twins have a range of {:g} % at most", largest(steady), 100 * kAllowed);
    }
    made_.aim({"last loss on shares against the twin's, where neither diverges",
               fmt::format("within {:g} %, or among twins with features moved by a thousandth", 100 * kAllowed),
               fmt::format("{} of {} are farther; {}", std::count_if(both.begin(), both.end(), is_far), both.size(),
                           distances),
               std::none_of(both.begin(), both.end(), is_far)});
  }

  // A sentence part with the largest difference among these trainings, and its place.
  static std::string largest(const std::vector<Cell>& trained) {
    const Cell& worst = *std::max_element(
        trained.begin(), trained.end(), [](const Cell& a, const Cell& b) { return *a.difference() < *b.difference(); });
    return fmt::format("{:.3f} % at most ({})", 100 * *worst.difference(), worst.place());
  }

  void add_notes() {
    made_.note(fmt::format(
        "the sensor network of `tacit demo`: 300 nodes, 8 features, 16 hidden, private graph; SGD, mean squared error, "
        "{} epochs, the loss revealed in each; every rank is a process on this machine, and a dealer helps; a seed "
        "makes the sensors and the first weights, the same for the twin, which trains in double precision",
        options_.epochs));
    made_.note(
        "diverges: the loss of an epoch is more than a hundred times the first loss, or not finite; the same rule "
        "judges the twin. leaves its range: the range watch finds a value beyond its declared range in that epoch, and "
        "ends the training before wrong results are revealed, often some epochs before the loss has grown a "
        "hundredfold. Either ends all ranks with exit code 2, and counts as divergence here; the twin has no ranges");
    made_.note(fmt::format(
        "range of moved twins: between the least and the largest last loss of the twin and of {} twins with features "
        "moved by a thousandth of their deviation. A loss on shares may lie beside this range by as much as its width: "
        "close to the rate that diverges, the loss swings from epoch to epoch, and small errors of any kind move it",
        kMovedTwins));
    if (std::all_of(cells_.begin(), cells_.end(), [](const Cell& cell) { return cell.twin.trained(); })) {
      made_.note("no twin diverged at these rates: name a larger rate to see where training ends");
    }
  }

  Trials& trials_;
  const DivergenceOptions& options_;
  Console& console_;
  Measurements made_;
  std::vector<Cell> cells_;
};

}  // namespace

Measurements measure_divergence(Trials& trials, const DivergenceOptions& options, const std::string& command,
                                Console& console) {
  return Divergence(trials, options, command, console).take();
}

}  // namespace tacit::launcher
