#include "bench/tables/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "bench/tables/gradients.h"
#include "bench/tables/others.h"
#include "bench/tables/rank_figures.h"
#include "bench/tables/training_end.h"

namespace tacit::launcher {

namespace {

using namespace figure_name;
using Labels = std::vector<std::pair<std::string, std::string>>;

const Row* row_with(const Table* table, const Labels& labels) {
  if (table == nullptr) return nullptr;
  const auto has_all = [&](const Row& row) {
    return std::all_of(labels.begin(), labels.end(),
                       [&](const auto& one) { return row.label(one.first) == one.second; });
  };
  const auto row = std::find_if(table->rows.begin(), table->rows.end(), has_all);
  return row == table->rows.end() ? nullptr : &*row;
}

const Samples* samples_of(const Table* table, const Labels& labels, const std::string& figure) {
  const Row* row = row_with(table, labels);
  return row == nullptr ? nullptr : row->find(figure);
}

std::string text_of(const Samples& samples) {
  return samples.unit().empty() ? samples.median_text() : fmt::format("{} {}", samples.median_text(), samples.unit());
}

// "46 x", "4.6 x", "1.05 x".
std::string times(double ratio) {
  return ratio >= 10  ? fmt::format("{:.0f} x", ratio)
         : ratio >= 2 ? fmt::format("{:.1f} x", ratio)
                      : fmt::format("{:.2f} x", ratio);
}

// The documents with their tables. `all`: our measurements.
class Answers {
 public:
  explicit Answers(const std::vector<Measurements>& all) : all_(all) {}

  std::vector<Document> take() {
    report();
    in_the_clear();
    data_parallel();
    cleaning();
    gradients();
    return std::move(documents_);
  }

 private:
  const Table* ours(const std::string& bench, const std::string& table) const {
    for (const Measurements& one : all_) {
      if (one.bench() == bench) return one.find(table);
    }
    return nullptr;
  }

  // The table of others with a name that begins with `name`. This object keeps a copy of the table.
  const Table& theirs(const std::string& bench, const std::string& name) {
    for (Measurements& one : others(bench)) {
      if (!one.tables().front().name.starts_with(name)) continue;
      return kept_.emplace_back(std::move(one)).tables().front();
    }
    throw std::logic_error("bench/others has no table \"" + name + "\"");
  }

  void begin(const std::string& document) { documents_.push_back({document, {}}); }
  void add(Answered answered) { documents_.back().places.push_back(std::move(answered)); }

  // A pair of numbers for the same thing, theirs and ours. The sizes appear beside the name only if they differ.
  struct Pair {
    std::string name;  // "2 parties"
    const Samples *theirs, *ours;
    std::string their_size = {}, our_size = {};  // ", batch 4 x 64"
  };
  // One line for all pairs: both sides' numbers, and by how much ours are less or more.
  void compare(const std::string& place, const std::string& bench, const std::vector<Pair>& pairs) {
    Answered line{place, "", "", "", bench};
    std::vector<double> ratios;
    for (const Pair& pair : pairs) {
      if (pair.theirs == nullptr) continue;
      const auto append = [&](std::string& text, const Samples& samples, const std::string& size) {
        const std::string name = pair.their_size == pair.our_size ? pair.name : pair.name + size;
        text += (text.empty() ? "" : ", ") + text_of(samples) + (name.empty() ? "" : " (" + name + ")");
      };
      append(line.theirs, *pair.theirs, pair.their_size);
      if (pair.ours == nullptr || pair.ours->empty()) continue;
      append(line.ours, *pair.ours, pair.our_size);
      if (pair.ours->median() > 0 && pair.theirs->median() > 0) {
        ratios.push_back(pair.theirs->median() / pair.ours->median());
      }
    }
    line.verdict = line.ours.empty() ? "" : verdict_of(std::move(ratios));
    add(std::move(line));
  }

  static std::string verdict_of(std::vector<double> theirs_over_ours) {
    if (theirs_over_ours.empty()) return "no ratio: one side is zero";
    std::sort(theirs_over_ours.begin(), theirs_over_ours.end());
    const double least = theirs_over_ours.front(), most = theirs_over_ours.back();
    const auto range = [](double low, double high) {
      return times(low) == times(high) ? times(low) : fmt::format("{} to {}", times(low), times(high));
    };
    constexpr double kAlike = 1.05;
    if (most <= kAlike && least >= 1 / kAlike) return "as much here";
    if (least >= 1) return range(least, most) + " less here";
    if (most <= 1) return range(1 / most, 1 / least) + " more here";
    return fmt::format("from {} more to {} less here", times(1 / least), times(most));
  }

  void report() {
    begin("A GCN in CrypTen: the report");
    cloud_nodes();
    two_machines();
    table_five();
    sizes();
    explosion();
  }

  void cloud_nodes() {
    const Table& nodes = theirs("scaling", "CrypTen, cloud nodes");
    const Table* ranks = ours("scaling", "ranks");
    for (const char* figure :
         {kWallClock, kPackets, kData, kEpochPackets, kEpochData, kEpochTime, kCpu, kMemoryShare}) {
      std::vector<Pair> pairs;
      for (int parties = 1; parties <= kMostNodes; ++parties) {
        const Labels labels = {{"parties", std::to_string(parties)}, {"rank", "0"}};
        pairs.push_back(
            {fmt::format("{}", parties), samples_of(&nodes, labels, figure), samples_of(ranks, labels, figure)});
      }
      compare(fmt::format("Cloud nodes, figures 3 and 4: {} at rank 0, by parties", figure), "scaling", pairs);
    }
    const Table& memory = theirs("scaling", "About 320 MB");
    const Labels five = {{"parties", std::to_string(kMostNodes)}, {"rank", "0"}};
    compare("Cloud nodes: memory of a process", "scaling",
            {{"5 parties", samples_of(&memory, five, kMemory), samples_of(ranks, five, kMemory)}});
  }

  void two_machines() {
    const Table& machines = theirs("two-machine", "CrypTen, two machines");
    const Table *ranks = ours("two-machine", "ranks"), *links = ours("two-machine", "other links");
    for (const char* figure : {kPackets, kEpochPackets, kData, kEpochData, kEpochTime, "rate", kCpu, kMemoryShare}) {
      std::vector<Pair> pairs, slow;
      for (const char* rank : {"0", "1"}) {
        const Samples* stated = samples_of(&machines, {{"rank", rank}}, figure);
        pairs.push_back({fmt::format("rank {}", rank), stated, samples_of(ranks, {{"rank", rank}}, figure)});
        slow.push_back(
            {fmt::format("rank {}", rank), stated, samples_of(links, {{"link", kTheirRate}, {"rank", rank}}, figure)});
      }
      compare(fmt::format("Two machines: {}", figure), "two-machine", pairs);
      if (std::string_view(figure) == kEpochTime) {
        compare(fmt::format("Two machines: {}, ours at {}", figure, kTheirRate), "two-machine", slow);
      }
    }
  }

  // Other data: the errors themselves cannot be compared. The aims of the benchmark judge the order of the models.
  void table_five() {
    const Table& table = theirs("accuracy", "Models on plain data");
    const Table* models = ours("accuracy", "models");
    for (const Row& row : table.rows) {
      Answered line{fmt::format("Table 5: {}, {} epochs", row.label("model"), row.label("epochs")), "", "", "",
                    "accuracy"};
      for (const char* figure : {"train RMSE", "test RMSE", "training time"}) {
        const Samples* samples = row.find(figure);
        line.theirs += (line.theirs.empty() ? "" : " / ") + (samples == nullptr ? "-" : samples->median_text());
      }
      for (const Row& own : models == nullptr ? std::deque<Row>() : models->rows) {
        const Samples *stated = own.find("report's test RMSE"), *wanted = row.find("test RMSE");
        if (stated == nullptr || wanted == nullptr || stated->median() != wanted->median()) continue;
        if (!own.find("test RMSE") || !own.find("train RMSE") || !own.find("training time")) continue;
        line.ours += fmt::format("{}{} / {} / {} ({})", line.ours.empty() ? "" : "; ",
                                 own.find("train RMSE")->median_text(), own.find("test RMSE")->median_text(),
                                 own.find("training time")->median_text(), own.label("data"));
      }
      if (!line.ours.empty()) line.verdict = "other data: compare the order, below";
      add(std::move(line));
    }
    for (const Measurements& one : all_) {
      if (one.bench() != "accuracy") continue;
      for (const Aim& aim : one.aims()) {
        add({"Table 5: " + aim.what, aim.wanted, aim.measured,
             !aim.told ? aim.verdict()
             : aim.met ? "comes out"
                       : "does not come out",
             "accuracy"});
      }
    }
  }

  void sizes() {
    const Table& table = theirs("accuracy", "Sizes");
    for (const char* figure : {"plain model", "encrypted model", "data"}) {
      compare(fmt::format("Sizes: {}", figure), "accuracy",
              {{"", samples_of(&table, {}, figure), samples_of(ours("accuracy", "sizes"), {}, figure)}});
    }
  }

  void explosion() {
    Answered line{"The loss with two parties and more", "explodes at some epoch, at any rate", "", "", "divergence"};
    if (const Table* trainings = ours("divergence", "trainings")) {
      std::size_t alone = 0;
      for (const Row& row : trainings->rows) {
        if (row.label("beside the twin") == launcher::text_of(BesideTwin::kDivergesAlone)) ++alone;
      }
      line.ours = fmt::format("{} of {} trainings on shares diverge although the same training on plain data does not",
                              alone, trainings->rows.size());
      line.verdict = alone == 0 ? "does not come out: sharing adds no divergence" : "comes out in part";
    }
    add(std::move(line));
  }

  // How many times longer b's epoch is than a's.
  static std::optional<double> ratio_of(const Samples* a, const Samples* b) {
    if (a == nullptr || b == nullptr || a->empty() || b->empty() || a->median() <= 0) return std::nullopt;
    return b->median() / a->median();
  }

  void in_the_clear() {
    begin("Training with differential privacy: one process, in the clear");
    const Table& table = theirs("privacy", "SGD and DP-SGD");
    const Table *costs = ours("privacy", "costs"), *attacks = ours("privacy", "attacks");
    const auto stated = [&](const char* training, const char* figure) {
      return samples_of(&table, {{"training", training}}, figure);
    };
    const auto line_of = [&](const std::string& place, const std::string& own) {
      const auto wanted = ratio_of(stated("SGD, sequential", kUsualTime), stated("DP-SGD, sequential", kUsualTime));
      const auto measured = ratio_of(samples_of(costs, {{"training", "SGD on shares"}}, kUsualTime),
                                     samples_of(costs, {{"training", own}}, kUsualTime));
      Answered line{place, wanted ? times(*wanted) : "-", "", "", "privacy"};
      if (measured) {
        line.ours = fmt::format("{} ({} over SGD on shares)", times(*measured), own);
        line.verdict = *measured < *wanted ? fmt::format("privacy costs {} less here", times(*wanted / *measured))
                                           : "privacy does not cost less here";
      }
      add(std::move(line));
    };
    line_of("An epoch with privacy over one without", "DP-SGD on shares, owners draw");
    line_of("The same, each party computing in the clear", "DP-SGD, aggregate");
    const auto share = [&](const char* training, const char* figure) {
      const Samples* samples = stated(training, figure);
      return samples == nullptr ? std::string("-") : text_of(*samples);
    };
    const auto of_attack = [&](const char* place, const std::string& their, const char* first, const char* second,
                               const char* about) {
      Answered line{place, their, "", "", "privacy"};
      for (const Row& row : attacks == nullptr ? std::deque<Row>() : attacks->rows) {
        const Samples *one = row.find(first), *other = row.find(second);
        if (one == nullptr || other == nullptr) continue;
        line.ours += fmt::format("{}{} / {} (epsilon {})", line.ours.empty() ? "" : ", ", text_of(*one),
                                 text_of(*other), row.label("epsilon"));
      }
      if (!line.ours.empty()) line.verdict = about;
      add(std::move(line));
    };
    of_attack("Accuracy without and with privacy",
              share("SGD, sequential", "test accuracy") + ", " + share("DP-SGD, sequential", "test accuracy"),
              "accuracy, trained on", "accuracy, others",
              "a training of few records, for the attack: records trained on / other records");
    of_attack("Inverting one column, without and with privacy",
              share("SGD, sequential", "inversion") + ", " + share("DP-SGD, sequential", "inversion"),
              "random bit, trained on", "random bit, others",
              "only the difference between records trained on and others speaks of privacy");
  }

  void data_parallel() {
    begin("Training with differential privacy: data-parallel");
    const Table& table = theirs("data-parallel", "DP-SGD on GPUs");
    const Table* layouts = ours("data-parallel", "layouts");
    const auto their_time = [&](const char* training, const char* layout) {
      return samples_of(&table, {{"training", training}, {"layout", layout}}, kEpochTime);
    };
    for (const char* training : {"package", "own all-reduce"}) {
      struct Step {
        const char *theirs, *ours;
      };
      Answered line{fmt::format("Speed-up over one worker, {}", training), "", "", "", "data-parallel"};
      bool as_much = true;
      for (const Step& step : {Step{"1x2", "2x1"}, Step{"1x4", "4x1"}}) {
        const auto stated = ratio_of(their_time(training, step.theirs), their_time(training, "1x1"));
        const Samples* own = samples_of(layouts, {{"layout", step.ours}}, "speed-up");
        if (!stated) continue;
        line.theirs += fmt::format("{}{:.2f} ({} workers)", line.theirs.empty() ? "" : ", ", *stated, step.theirs[2]);
        if (own == nullptr) continue;
        line.ours += fmt::format("{}{} ({} parties)", line.ours.empty() ? "" : ", ", own->median_text(), step.ours[0]);
        as_much = as_much && own->median() >= 0.95 * *stated;
      }
      if (!line.ours.empty())
        line.verdict = as_much ? "comes out" : "less here: all workers share this machine's cores";
      add(std::move(line));
    }
    struct Same {
      const char *figure, *place;
    };
    for (const Same& same : {Same{kEpochTime, "Time per epoch"}, Same{"test accuracy", "Test accuracy"}}) {
      compare(fmt::format("{}, own all-reduce (other records)", same.place), "data-parallel",
              {{"one worker", samples_of(&table, {{"training", "own all-reduce"}, {"layout", "1x1"}}, same.figure),
                samples_of(layouts, {{"layout", "1x1"}}, same.figure)},
               {"two", samples_of(&table, {{"training", "own all-reduce"}, {"layout", "1x2"}}, same.figure),
                samples_of(layouts, {{"layout", "2x1"}}, same.figure)}});
    }
    compare("Price of a training (other records)", "data-parallel",
            {{"one worker", samples_of(&table, {{"training", "what 10 epochs cost"}, {"layout", "1x1"}}, "price"),
              samples_of(layouts, {{"layout", "1x1"}}, "price")}});
  }

  void cleaning() {
    begin("Cleaning of census records");
    const Table& table = theirs("preprocessing", "the documents");
    const Table* own = ours("preprocessing", "preprocessing");
    struct Way {
      const char *theirs, *ours;
    };
    for (const Way& way : {Way{"sequential", "sequential"}, Way{"MapReduce", "map, sort, reduce through files"},
                           Way{"Spark", "Dask, with the start of its processes"}}) {
      std::vector<Pair> pairs;
      for (const Row& row : table.rows) {
        if (row.label("way") != way.theirs) continue;
        const Labels same = {{"records", row.label("records")}, {"way", way.ours}, {"cores", row.label("cores")}};
        pairs.push_back({fmt::format("{}, {} {}", row.label("records"), row.label("cores"),
                                     row.label("cores") == "1" ? "core" : "cores"),
                         row.find("time"), samples_of(own, same, "time")});
      }
      compare(fmt::format("{}, ours: {}", way.theirs, way.ours), "preprocessing", pairs);
    }
  }

  void gradients() {
    namespace name = gradient_name;
    begin("Synchronising gradients");
    const Table& table = theirs("gradients", "VGG-11 on four nodes");
    const Table *ways = ours("gradients", name::kWays), *results = ours("gradients", name::kLearning);
    struct Compared {
      const char* figure;
      const Table* own;
    };
    for (const Compared& one : {Compared{name::kIteration, ways}, Compared{name::kTestLoss, results},
                                Compared{name::kTestAccuracy, results}}) {
      std::vector<Pair> pairs;
      for (const Row& row : table.rows) {
        const Row* own = row_with(one.own, {{"way", row.label("ours")}});
        const auto size = [](const Row& of) { return ", batch " + of.label("batch"); };
        pairs.push_back({row.label("way"), row.find(one.figure), own == nullptr ? nullptr : own->find(one.figure),
                         size(row), own == nullptr ? "" : size(*own)});
      }
      compare(one.own == ways ? fmt::format("{} (other machines)", one.figure)
                              : fmt::format("{} (other pictures)", one.figure),
              "gradients", pairs);
    }
    // The document's sentences, with the verdicts of the benchmark.
    const Table* judged = ours("gradients", name::kSaid);
    for (const Row& row : theirs("gradients", "Said in words").rows) {
      Answered line{"In words", row.label("said"), "", "", "gradients"};
      if (const Row* own = row_with(judged, {{"the document", row.label("said")}})) {
        line.ours = own->label("here");
        line.verdict = own->label("verdict");
      }
      add(std::move(line));
    }
  }

  static constexpr int kMostNodes = 5;                            // parties of the report
  static constexpr const char* kTheirRate = "7.9 ms, 16 Mbit/s";  // 16 Mbit/s is the average of the report's own run

  const std::vector<Measurements>& all_;
  std::deque<Measurements> kept_;
  std::vector<Document> documents_;
};

}  // namespace

std::vector<Document> documents(const std::vector<Measurements>& all) { return Answers(all).take(); }

}  // namespace tacit::launcher
