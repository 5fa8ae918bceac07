#include "bench/tables/gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bench/tables/confidence.h"
#include "bench/tables/gradient_aims.h"
#include "bench/tables/gradient_statements.h"
#include "bench/tables/others.h"
#include "launcher/report/quantity.h"
#include "launcher/settings/threads.h"
#include "launcher/unit_text.h"

namespace tacit::launcher {

namespace {

using namespace gradient_name;

constexpr std::size_t kShownOfDigest = 12;
constexpr double kBytesOfMegabyte = 1e6;

std::string batch_text(const GradientSettings& settings) {
  return settings.ranks == 1 ? std::to_string(settings.batch) : fmt::format("{} x {}", settings.ranks, settings.batch);
}

// The document's number for one of our ways, in the row that it belongs to.
std::optional<double> documents(const std::string& way, const char* figure) {
  for (const Measurements& other : others("gradients")) {
    for (const Row& row : other.tables().front().rows) {
      const Samples* told = row.find(figure);
      if (told != nullptr && row.label("ours") == way) return told->median();
    }
  }
  return std::nullopt;
}

void add_documents(const std::string& way, const char* figure, const std::string& unit, Row& row) {
  if (const auto told = documents(way, figure)) row.figure(fmt::format("document's {}", figure), unit).add(*told);
}

// The work of a training, to estimate the time that is left: pictures.
double pictures_of(const GradientSettings& settings, const GradientOptions& options) {
  constexpr double kAllPictures = 50'000;
  const double epoch = options.train > 0 ? static_cast<double>(options.train) : kAllPictures;
  const auto step = static_cast<double>(settings.batch * settings.ranks);
  const double per_epoch =
      settings.iterations > 0 ? std::min(epoch, static_cast<double>(settings.iterations) * step) : epoch;
  return per_epoch * static_cast<double>(settings.epochs);
}

class Gradients {
 public:
  Gradients(const GradientOptions& options, const std::string& command, Console& console)
      : options_(options),
        console_(console),
        plan_(options, usable_cores()),
        trials_(options, console),
        made_("gradients", command) {}

  Measurements take() {
    train_all();
    tell_diverged();
    tell_ways();
    tell_ranks();
    tell_learning();
    tell_losses();
    tell_buckets();
    tell_batches();
    tell_epochs();
    tell_models();
    judge_hiding();
    compare_with_ddp();
    add_gradient_statements(made_);
    add_notes();
    return std::move(made_);
  }

 private:
  using Question = std::vector<GradientSettings> (GradientPlan::*)(std::uint64_t) const;

  void train_all() {
    const std::vector<GradientSettings> all = plan_.all();
    double left = 0, done = 0, seconds = 0;
    for (const GradientSettings& one : all) left += pictures_of(one, options_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const GradientAccount& account = trials_.of(all[i]);
      const double pictures = pictures_of(all[i], options_);
      done += pictures;
      left -= pictures;
      seconds += account.ranks.front().wall_seconds;
      std::string line = fmt::format("gradients: {} of {}: {}", i + 1, all.size(), all[i].text());
      if (account.diverged() > 0) {
        line += fmt::format(": diverged in iteration {}", account.diverged());
      } else if (const auto mean = account.mean_iteration(options_.iterations)) {
        line += fmt::format(": {} an iteration", text_of(Quantity::kSeconds, mean->seconds));
      }
      if (done > 0 && i + 1 < all.size()) {
        line += fmt::format("; about {} to go", duration_text(left * seconds / done));
      }
      console_.say(line);
      console_.flush(std::chrono::seconds(1));
    }
  }

  // Calls `add` with each training of a question that did not diverge, over all seeds.
  template <typename Add>
  void each(Question question, const Add& add) {
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(options_.seeds); ++seed) {
      for (const GradientSettings& settings : (plan_.*question)(seed)) {
        const GradientAccount& account = trials_.of(settings);
        if (account.diverged() == 0) add(settings, account);
      }
    }
  }

  // Adds a row for each training that diverged, with measurements that no other table uses.
  void tell_diverged() {
    const std::vector<GradientSettings> all = plan_.all();
    for (const GradientSettings& settings : all) {
      const std::int64_t iteration = trials_.of(settings).diverged();
      if (iteration == 0) continue;
      made_
          .table(kDiverged,
                 "Trainings that ended with a loss that is not finite, or with a gradient beyond fixed point. No other "
                 "table has their figures.")
          .add({{"training", settings.text()}, {"end", fmt::format("diverged in iteration {}", iteration)}});
    }
    const Table* diverged = made_.find(kDiverged);
    if (diverged == nullptr) return;
    made_.note(fmt::format("{} of {} trainings diverged at a rate of {:g}: name a smaller --rate{}",
                           diverged->rows.size(), all.size(), options_.rate,
                           options_.batch_norm ? "" : ", or leave out --no-batch-norm"));
  }

  static Row& row_with(Table& table, const std::vector<std::pair<std::string, std::string>>& labels) {
    const auto at =
        std::find_if(table.rows.begin(), table.rows.end(), [&](const Row& row) { return row.labels == labels; });
    return at == table.rows.end() ? table.add(labels) : *at;
  }

  void add_times(const GradientAccount& account, Row& row) const {
    const auto mean = account.mean_iteration(options_.iterations);
    if (!mean) return;
    row.figure(kIteration, "s").add(mean->seconds);
    if (mean->computing == 0) return;  // PyTorch's program measures no parts
    row.figure("computing", "s").add(mean->computing);
    row.figure("waiting", "s").add(mean->waiting);
    row.figure("hidden", "s").add(mean->hidden);
    row.figure("communicating", "s").add(mean->communicating);
    if (mean->communicating > 0) row.figure(kHiddenPart, "%").add(100 * mean->hidden / mean->communicating);
  }

  void tell_ways() {
    Table& table = made_.table(
        kWays,
        fmt::format(
            "An iteration of each way: the mean of {} iterations after the first, at the rank that takes longest. "
            "Communication is hidden while the backward pass still computes.",
            options_.iterations));
    each(&GradientPlan::ways, [&](const GradientSettings& settings, const GradientAccount& account) {
      Row& row = row_with(table, {{"way", settings.way}, {"batch", batch_text(settings)}});
      add_times(account, row);
      if (settings.way == kAsyncWay) {
        row.figure("latest gradient", "steps").add(static_cast<double>(latest_step(account)));
      }
    });
    for (Row& row : table.rows) add_documents(row.label("way"), kIteration, "s", row);
  }

  static std::int64_t latest_step(const GradientAccount& account) {
    std::int64_t latest = 0;
    for (const GradientRankAccount& rank : account.ranks) latest = std::max(latest, rank.oldest_step);
    return latest;
  }

  static void add_cost(const GradientRankAccount& rank, Row& row, bool counts_no_bytes = false) {
    const auto iterations = static_cast<double>(rank.iterations.size());
    row.figure(kCpuOfRank, "%").add(rank.cpu_percent());
    row.figure(kResident, "MB").add(static_cast<double>(rank.resident_bytes) / kBytesOfMegabyte);
    if (rank.bytes_sent == 0 && counts_no_bytes) return;
    row.figure(kSent, "MB").add(static_cast<double>(rank.bytes_sent) / iterations / kBytesOfMegabyte);
    row.figure(kReceived, "MB").add(static_cast<double>(rank.bytes_received) / iterations / kBytesOfMegabyte);
    row.figure("packets sent", "").add(static_cast<double>(rank.packets_sent) / iterations);
    row.figure("packets received", "").add(static_cast<double>(rank.packets_received) / iterations);
  }

  void tell_ranks() {
    Table& table = made_.table(kRanks,
                               "CPU, memory and traffic of rank 0 and of a worker, rank 1. Bytes and packets are "
                               "totals of the training, divided by its iterations.");
    each(&GradientPlan::ways, [&](const GradientSettings& settings, const GradientAccount& account) {
      const bool ddp = settings.way == kDdpWay;
      add_cost(account.ranks.front(), row_with(table, {{"way", settings.way}, {"rank", "0"}}), ddp);
      if (account.ranks.size() > 1) {
        add_cost(account.ranks[1], row_with(table, {{"way", settings.way}, {"rank", kWorker}}), ddp);
      }
    });
  }

  static void add_results(const GradientAccount& account, std::int64_t epoch, Row& row) {
    const GradientEpoch* tested = account.epoch(epoch);
    if (tested == nullptr) return;
    row.figure("train loss", "").add(tested->train_loss);
    if (tested->test_loss) row.figure(kTestLoss, "").add(*tested->test_loss);
    if (tested->accuracy) row.figure(kTestAccuracy, "%").add(*tested->accuracy);
  }

  // The mean over seeds, and half the width of its 95 % interval.
  static void add_means(Table& table) {
    for (Row& row : table.rows) {
      for (const auto& [figure, unit] : {std::pair(kTestLoss, ""), std::pair(kTestAccuracy, "%")}) {
        const Samples* samples = row.find(figure);
        if (samples == nullptr) continue;
        const MeanInterval mean = mean_interval(samples->values());
        row.figure(fmt::format("mean {}", figure), unit).add(mean.mean);
        if (mean.half) row.figure(fmt::format("+- of {}", figure), unit).add(*mean.half);
      }
    }
  }

  void tell_learning() {
    Table& table =
        made_.table(kLearning,
                    "Test loss and accuracy after one epoch: each seed, the mean, and half the width of its 95 % "
                    "interval (Student's t).");
    each(&GradientPlan::ways, [&](const GradientSettings& settings, const GradientAccount& account) {
      add_results(account, 1, row_with(table, {{"way", settings.way}, {"batch", batch_text(settings)}}));
    });
    add_means(table);
    for (Row& row : table.rows) {
      add_documents(row.label("way"), kTestLoss, "", row);
      add_documents(row.label("way"), kTestAccuracy, "%", row);
    }
  }

  void tell_losses() {
    each(&GradientPlan::ways, [&](const GradientSettings& settings, const GradientAccount& account) {
      if (account.ranks.front().losses.empty()) return;
      Table& table = made_.table(kLosses, "The mean training loss of the last iterations up to each one, at rank 0.");
      Row& row = row_with(table, {{"way", settings.way}, {"batch", batch_text(settings)}});
      constexpr std::size_t kMostLosses = 20;
      for (const auto& [iteration, loss] : account.ranks.front().losses) {
        if (row.figures.size() < kMostLosses || row.find(std::to_string(iteration)) != nullptr) {
          row.figure(std::to_string(iteration), "").add(loss);
        }
      }
    });
  }

  void tell_buckets() {
    if (plan_.buckets(1).empty()) return;
    Table& table = made_.table(
        kBucketSizes,
        fmt::format("The way \"buckets\" by the size of a bucket: the mean of {} iterations after the first; CPU, "
                    "memory and traffic of rank 0.",
                    options_.iterations));
    each(&GradientPlan::buckets, [&](const GradientSettings& settings, const GradientAccount& account) {
      Row& row = row_with(table, {{"bucket", settings.bucket}});
      add_times(account, row);
      add_cost(account.ranks.front(), row);
    });
  }

  void tell_batches() {
    if (plan_.batches(1).empty()) return;
    Table& table = made_.table(kBatches, fmt::format("One epoch of \"{}\" by the pictures of a rank in a step.",
                                                     plan_.batches(1).front().way));
    each(&GradientPlan::batches, [&](const GradientSettings& settings, const GradientAccount& account) {
      Row& row = row_with(table, {{"batch", std::to_string(settings.batch)}});
      add_results(account, 1, row);
      add_times(account, row);
    });
    add_means(table);
  }

  void tell_epochs() {
    if (plan_.epochs(1).empty()) return;
    const GradientSettings longest = plan_.epochs(1).front();
    Table& table = made_.table(kEpochs, fmt::format("Test results of \"{}\", {}, after some epochs of one training.",
                                                    longest.way, batch_text(longest)));
    for (const std::int64_t epoch : options_.epochs) table.add({{"epochs", std::to_string(epoch)}});
    each(&GradientPlan::epochs, [&](const GradientSettings&, const GradientAccount& account) {
      for (std::size_t i = 0; i < options_.epochs.size(); ++i) add_results(account, options_.epochs[i], table.rows[i]);
    });
    add_means(table);
  }

  // Equal trainings: one epoch of each synchronous way, and a few iterations by ranks and by one process.
  void tell_models() {
    Table& table = made_.table(kModels, "The beginning of the SHA-256 of the weights at the end of each training.");
    std::size_t groups = 0, alike = 0, compared = 0;
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(options_.seeds); ++seed) {
      std::vector<GradientSettings> ways = plan_.ways(seed);
      std::erase_if(ways, [](const auto& one) { return one.ranks == 1 || one.way == kAsyncWay || one.way == kDdpWay; });
      for (const auto& [what, group] :
           {std::pair("one epoch", ways), std::pair("few iterations", plan_.same_model(seed))}) {
        if (group.size() < 2 || any_diverged(group)) continue;
        ++groups;
        compared += group.size();
        if (list_models(what, seed, group, table)) ++alike;
      }
    }
    if (groups == 0) return;
    made_.aim({"all synchronous ways end with one model at equal seeds, and the single process with the same parts too",
               "all weights equal, bit for bit",
               fmt::format("{} of {} groups, of {} trainings, are equal", alike, groups, compared), alike == groups});
  }

  bool any_diverged(const std::vector<GradientSettings>& group) {
    return std::any_of(group.begin(), group.end(), [&](const auto& one) { return trials_.of(one).diverged() > 0; });
  }

  bool list_models(const char* what, std::uint64_t seed, const std::vector<GradientSettings>& group, Table& table) {
    bool equal = true;
    const std::string first = trials_.of(group.front()).ranks.front().digest;
    for (const GradientSettings& settings : group) {
      const GradientAccount& account = trials_.of(settings);
      const std::string digest = account.ranks.front().digest;
      const bool same = digest == first && account.ends_alike();
      equal = equal && same;
      std::string batch = batch_text(settings);
      if (settings.micro_batches > 1) batch += fmt::format(" in {} parts", settings.micro_batches);
      table.add({{"trained", what},
                 {"seed", std::to_string(seed)},
                 {"way", settings.way},
                 {"batch", batch},
                 {"weights", digest.substr(0, kShownOfDigest)},
                 {"all ranks alike", account.ends_alike() ? "yes" : "no"},
                 {"as the first of its group", same ? "yes" : "no"}});
    }
    return equal;
  }

  void judge_hiding() {
    if (std::find(options_.ways.begin(), options_.ways.end(), kBucketsWay) == options_.ways.end()) return;
    std::vector<double> hidden;
    each(&GradientPlan::hiding, [&](const GradientSettings&, const GradientAccount& account) {
      const auto mean = account.mean_iteration(options_.iterations);
      if (mean && mean->communicating > 0) hidden.push_back(100 * mean->hidden / mean->communicating);
    });
    const int cores = plan_.cores();
    std::string why_not = "the trainings for it diverged, or had too few iterations";
    if (!options_.hosts.empty()) {
      why_not = "the link between hosts is not emulated";
    } else if (cores <= options_.ranks) {
      why_not = fmt::format("no core is free: {} ranks on {} {}", options_.ranks, cores, cores == 1 ? "core" : "cores");
    }
    made_.aim(hiding_aim(hidden, options_.ranks, cores, why_not));
  }

  // Our buckets over TLS beside PyTorch's, which are not encrypted; pairs of the same seed.
  void compare_with_ddp() {
    if (std::find(options_.ways.begin(), options_.ways.end(), kBucketsWay) == options_.ways.end()) return;
    std::vector<double> ratios;
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(options_.seeds); ++seed) {
      std::optional<double> ours, theirs;
      for (const GradientSettings& settings : plan_.ways(seed)) {
        if (trials_.of(settings).diverged() > 0) continue;
        const auto mean = trials_.of(settings).mean_iteration(options_.iterations);
        if (mean && settings.way == kBucketsWay) ours = mean->seconds;
        if (mean && settings.way == kDdpWay) theirs = mean->seconds;
      }
      if (ours && theirs && *theirs > 0) ratios.push_back(*ours / *theirs);
    }
    const char* why_not = options_.ddp.empty()
                              ? "PyTorch's program was not measured, since it needs Debian's python3-torch, "
                                "and runs on this machine without --link"
                              : "a training of each pair diverged, or had too few iterations";
    for (Aim& aim : ddp_aims(ratios, why_not)) made_.aim(std::move(aim));
  }

  void add_notes() {
    const std::vector<GradientSettings> all = plan_.all();
    const GradientAccount& any = trials_.of(all.front());
    made_.note(fmt::format(
        "VGG-11 for 32 x 32 pictures {} batch normalisation, {} parameters; SGD with rate {:g}, momentum {:g}, weight "
        "decay "
        "{:g}; {} to train on, {} to test on, of {}",
        options_.batch_norm ? "with" : "without", any.ranks.front().parameters, options_.rate, options_.momentum,
        options_.weight_decay, pictures_text(options_.train), pictures_text(options_.test),
        options_.data.empty() ? "pictures made from a seed in CIFAR-10's format, which give other accuracies"
                              : "the folder of --data"));
    made_.note(fmt::format(
        "each way has {} ranks, each a process, with TLS between them; a seed makes the first weights and the order of "
        "the "
        "pictures, the same for every way; gradients are added up in fixed point, which is exact in any order",
        options_.ranks));
    note_cores();
    if (options_.hosts.empty())
      made_.note(options_.link.empty() ? std::string("the links are loopback, and cost only the time of the cores")
                                       : fmt::format("the link of each rank is emulated: {}", options_.link));
    if (options_.async) {
      made_.note(fmt::format(
          "async: a rank applies its own gradient at once, and another rank's gradient once it is complete, at most {} "
          "steps late. The document's async_op did not wait for the words to arrive: a race may have changed its "
          "accuracy",
          options_.staleness));
    }
    if (!options_.ddp.empty()) {
      made_.note(
          "ddp-gloo: PyTorch's DistributedDataParallel over Gloo, over TCP without encryption, with the same model, "
          "pictures, batch and buckets, but other first weights; bytes of ddp-gloo are not counted");
    }
    if (options_.seeds == 1) made_.note("one seed has no interval: name --seeds 2 or more");
  }

  void note_cores() {
    if (!options_.hosts.empty()) {
      made_.note("each rank is on a host of its own; the single process is on the first one");
      return;
    }
    const int cores = usable_cores();
    const int threads = std::max(1, cores / options_.ranks);
    made_.note(
        fmt::format("all ranks share this machine's {}, {} of a rank; the single process has {} (in the comparison of "
                    "models as many as a rank, since a sum in another order has other bits)",
                    cores == 1 ? std::string("core") : fmt::format("{} cores", cores),
                    threads == 1 ? std::string("one thread") : fmt::format("{} threads", threads),
                    cores == 1 ? std::string("one thread") : fmt::format("{} threads", cores)));
  }

  static std::string pictures_text(std::int64_t count) {
    return count == 0 ? std::string("all") : std::to_string(count);
  }

  const GradientOptions& options_;
  Console& console_;
  GradientPlan plan_;
  GradientTrials trials_;
  Measurements made_;
};

}  // namespace

Measurements measure_gradients(const GradientOptions& options, const std::string& command, Console& console) {
  return Gradients(options, command, console).take();
}

}  // namespace tacit::launcher
