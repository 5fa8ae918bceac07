#include "bench/tables/breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/rank_figures.h"
#include "gnn/graph/rows.h"
#include "launcher/plan/forecast.h"
#include "launcher/plan/multiplication_speed.h"
#include "launcher/report/measures.h"
#include "launcher/report/predictions.h"
#include "launcher/report/quantity.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

// One row of a breakdown.
struct Told {
  double calls = 0, seconds = 0, waited = 0;
  mpc::Cost cost;

  void add(const ToldProfile::Protocol& one) {
    calls += static_cast<double>(one.calls);
    add(one.time);
    cost += one.cost;
  }
  void add(const ToldTime& time) {
    seconds += time.seconds;
    waited += time.waited_for_parties + time.waited_for_dealer;
  }
};

using ByName = std::vector<std::pair<std::string, Told>>;  // in the order of first occurrence

Told& at(ByName& all, const std::string& name) {
  for (auto& [known, told] : all) {
    if (known == name) return told;
  }
  return all.emplace_back(name, Told()).second;
}

ByName by_protocol(const ToldProfile& profile) {
  ByName all;
  Told rest;
  for (const ToldProfile::Part& part : profile.parts) {
    rest.seconds += part.time.seconds;
    for (const ToldProfile::Protocol& one : part.protocols) {
      at(all, one.protocol).add(one);
      rest.seconds -= one.time.seconds;
    }
  }
  all.emplace_back("local work between them", rest);
  return all;
}

ByName by_part(const ToldProfile& profile) {
  ByName all;
  for (const ToldProfile::Part& part : profile.parts) {
    Told told;
    for (const ToldProfile::Protocol& one : part.protocols) {
      told.calls += static_cast<double>(one.calls);
      told.cost += one.cost;
    }
    told.add(part.time);
    all.emplace_back(part.part, told);
  }
  return all;
}

void add_rows(const ByName& all, const char* label, double epochs, Table& table) {
  for (const auto& [name, told] : all) {
    auto row =
        std::find_if(table.rows.begin(), table.rows.end(), [&, &n = name](Row& one) { return one.label(label) == n; });
    Row& its = row != table.rows.end() ? *row : table.add({{label, name}});
    its.figure("calls", "").add(told.calls / epochs);
    its.figure("rounds", "").add(static_cast<double>(told.cost.rounds) / epochs);
    its.figure("sent", "B").add(static_cast<double>(told.cost.bytes) / epochs);
    its.figure("dealt", "B").add(static_cast<double>(told.cost.dealt_bytes) / epochs);
    its.figure("time", "s").add(told.seconds / epochs);
    its.figure("waiting", "s").add(told.waited / epochs);
  }
}

double epoch_seconds(const RunAccount& run) {
  Row row;
  add_figures(run.teller(), row);
  return row.find(figure_name::kUsualTime)->median();
}

PlannedData sizes_of(const Job& job, const gnn::GraphData& whole) {
  const auto count = [](const std::optional<gnn::NodeMask>& mask) {
    return static_cast<std::int64_t>(gnn::rows_where(mask).size());
  };
  return data_as_stated(job, {.nodes = whole.nodes,
                              .features = whole.x->cols(),
                              .targets = 1,
                              .train = count(whole.train_mask),
                              .validation = count(whole.val_mask),
                              .test = count(whole.test_mask)});
}

class Breakdown {
 public:
  Breakdown(Trials& trials, const BreakdownOptions& options, const std::string& command, Console& console)
      : trials_(trials),
        options_(options),
        console_(console),
        whole_(gnn::make_sensors({})),
        job_(demo_job(options.parties, options.epochs)),
        made_("breakdown", command) {}

  Measurements take() {
    Table& protocols = made_.table(
        "protocols", "The cost of each protocol's calls in an epoch at rank 0; the mean of all epochs but the first.");
    Table& parts = made_.table("parts", "The same by part of the training; a backward pass begins at the last layer.");
    for (int repeat = 1; repeat <= options_.repeats; ++repeat) {
      const RunAccount run = trials_.run(fmt::format("breakdown-{}", repeat), job_, whole_);
      const auto& profile = run.teller().profile;
      if (!profile || profile->epochs == 0) throw BrokenInvariant("rank 0 left no profile of its epochs");
      const auto epochs = static_cast<double>(profile->epochs);
      add_rows(by_protocol(*profile), "protocol", epochs, protocols);
      add_rows(by_part(*profile), "part", epochs, parts);
      if (repeat == 1) add_prediction(run);
      unlinked_.add(epoch_seconds(run));
      const std::string name = fmt::format("breakdown-link-{}", repeat);
      linked_.add(epoch_seconds(trials_.run(name, job_, whole_, options_.emulated)));
      console_.say(fmt::format("breakdown: {} of {}: {} per epoch, {} on the link", repeat, options_.repeats,
                               text_of(Quantity::kSeconds, unlinked_.values().back()),
                               text_of(Quantity::kSeconds, linked_.values().back())));
    }
    add_limits();
    made_.note(fmt::format(
        "the sensor network of `tacit demo`, {} parties and a dealer on this machine, loopback but "
        "for the limits; {} epochs: the first one masks the values that stay and does not count, the evaluation in "
        "the last one counts in protocols and parts alone; {} repetitions",
        options_.parties, options_.epochs, options_.repeats));
    made_.note(
        "time is rank 0's, and includes its waiting for other ranks; sent is payload to all other parties together, "
        "dealt is payload from the dealer to all parties together");
    return std::move(made_);
  }

 private:
  void add_prediction(const RunAccount& run) {
    const std::vector<Prediction> all = predictions_of(run);
    const auto equal = std::count_if(all.begin(), all.end(), [](const Prediction& one) { return one.equal(); });
    made_.aim({"rounds, bytes and messages of every rank and epoch, stated against measured", "all equal",
               fmt::format("{} of {} equal", equal, all.size()), equal == std::ssize(all)});
  }

  void limit(const std::string& name, const Samples& seconds) {
    Samples& times = made_.table("limits", kAboutLimits).add({{"limit", name}}).figure("time", "s");
    for (const double one : seconds.values()) times.add(one);
  }
  void limit(const std::string& name, double seconds) { limit(name, Samples("s", {seconds})); }

  // Lower limits of an epoch's time, each as if all other work were free; and the measured epoch.
  void add_limits() {
    const gnn::PlannedRun::Step usual =
        forecast(job_, sizes_of(job_, whole_).agreement, {}, {}).busiest().usual_epoch();
    const auto rounds = static_cast<double>(usual.cost.rounds), sent = static_cast<double>(usual.cost.bytes),
               dealt = static_cast<double>(usual.cost.dealt_bytes),
               products = static_cast<double>(usual.work.multiplications);
    const Link link = parse_link(options_.emulated);
    const double speed = multiplication_speed();
    const double waiting = rounds * link.round_trip / 2, moving = sent / link.bytes_per_second,
                 dealing = dealt / link.bytes_per_second, multiplying = products / speed;
    limit(fmt::format("{:g} rounds, half a round trip each", rounds), waiting);
    limit(fmt::format("{} of openings, by bandwidth", text_of(Quantity::kBytes, sent)), moving);
    limit(fmt::format("{} from the dealer, meanwhile", text_of(Quantity::kBytes, dealt)), dealing);
    limit(fmt::format("{:.2f} M multiply-adds", products / 1e6), multiplying);
    const double least = std::max(waiting + moving + multiplying, dealing);
    limit("at least", least);
    limit("an epoch, as measured", linked_);
    limit("the same without a link", unlinked_);
    made_.note(
        fmt::format("limits are for the link {}; the kernel does {:.1f} G multiply-adds a second on one core of this "
                    "machine; the epoch on the link takes {:.2f} x its least time",
                    link.text(), speed / 1e9, linked_.median() / least));
  }

  static constexpr const char* kAboutLimits =
      "The least time of a usual epoch on this link and machine. Rounds, the bytes that a rank sends and "
      "multiply-adds wait for each other; the dealer's bytes move meanwhile.";

  Trials& trials_;
  const BreakdownOptions& options_;
  Console& console_;
  const gnn::GraphData whole_;
  const Job job_;
  Measurements made_;
  Samples unlinked_{"s"}, linked_{"s"};  // times of an epoch
};

}  // namespace

Measurements measure_breakdown(Trials& trials, const BreakdownOptions& options, const std::string& command,
                               Console& console) {
  return Breakdown(trials, options, command, console).take();
}

}  // namespace tacit::launcher
