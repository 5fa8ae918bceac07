#include "bench/tables/privacy.h"

#include <fmt/format.h>

#include "bench/data/records.h"
#include "bench/tables/rank_figures.h"
#include "bench/tables/records_job.h"
#include "gnn/attack/inversion.h"
#include "gnn/attack/membership.h"
#include "gnn/data/labels.h"
#include "gnn/privacy/training_privacy.h"
#include "launcher/launch/twin.h"

namespace tacit::launcher {

namespace {

constexpr double kDelta = 1e-5, kNoise = 0.9;

class Privacy {
 public:
  Privacy(Trials& trials, const PrivacyOptions& options, const std::string& command, Console& console)
      : trials_(trials), options_(options), console_(console), made_("privacy", command) {}

  Measurements take() {
    measure_costs();
    attack();
    made_.note(
        fmt::format("costs: {} rows of 21 bits, 21-50-1, batch 256, {} parties on this machine, loopback; every "
                    "training reveals its model and the accuracy on test rows",
                    options_.rows, options_.parties));
    made_.note(
        "attacks: 1,200 rows of 21 bits, a third of them trained on, 21-50-1; trained in the clear by one process, "
        "with the same clipping and noise as in the mode \"aggregate\". The last bit tells nothing of the label");
    return std::move(made_);
  }

 private:
  void measure_costs() {
    Table& table = made_.table("costs",
                               "A usual epoch at rank 0, and epsilon of one record after it (delta 1e-5) against the "
                               "worst adversary.");
    gnn::RecordsOptions size;
    size.rows = options_.rows;
    size.train = 0.8;
    const gnn::GraphData whole = gnn::make_records(size);
    struct Kind {
      const char* name;
      const char* file;
      void (*change)(Job&);
    };
    // Without privacy, masks of rows are public: with this many rows, secret masks take far longer.
    const Kind kinds[] = {
        {"SGD on shares", "sgd",
         [](Job& job) { job.data.ownership.masks = gnn::parse_ownership("public", gnn::GraphPart::kMasks); }},
        {"DP-SGD on shares, owners draw", "owners", [](Job& job) { make_private(job, kNoise, kDelta); }},
        {"DP-SGD on shares, parties draw", "parties",
         [](Job& job) {
           make_private(job, kNoise, kDelta);
           job.data.ownership.masks = gnn::parse_ownership("public", gnn::GraphPart::kMasks);
           job.training.privacy->sampling = gnn::Sampling::kParties;
         }},
        {"DP-SGD, aggregate", "aggregate", [](Job& job) { make_aggregate(job, kNoise, kDelta); }}};
    for (const Kind& kind : kinds) {
      Job job = records_job(options_.parties);
      job.training.batch = 256;
      job.training.epochs = options_.epochs;
      kind.change(job);
      Row& row = table.add({{"training", kind.name}});
      for (int repeat = 0; repeat < options_.repeats; ++repeat) {
        const RunAccount account = trials_.run(fmt::format("{}-{}", kind.file, repeat + 1), job, whole);
        const RankAccount& rank = account.ranks.front();
        add_figures(rank, row);
        add_epsilon(job, whole, row);
      }
    }
  }

  // Adds the epsilon of the whole training, against the worst adversary.
  void add_epsilon(const Job& job, const gnn::GraphData& whole, Row& row) const {
    if (!job.training.privacy) return;
    const std::int64_t records = std::ssize(gnn::rows_where(whole.train_mask));
    std::vector<std::int64_t> owned{records};
    if (job.training.privacy->sampling == gnn::Sampling::kOwners) {
      owned.assign(static_cast<std::size_t>(options_.parties), records / options_.parties);
      owned.front() += records % options_.parties;
    }
    const gnn::PrivacyPlan account =
        gnn::record_privacy(job.training, owned, options_.parties).account(job.training.epochs);
    const gnn::Adversary& worst = gnn::strongest(account, account.steps, kDelta);
    const gnn::Mechanism steps = gnn::mechanism_of(account, worst, account.steps);
    row.figure("epsilon", "").add(gnn::epsilon_of(std::span(&steps, 1), kDelta).told());
  }

  void attack() {
    Table& table =
        made_.table("attacks",
                    "A model that was overfitted, and trainings with differential privacy (delta 1e-5): what "
                    "an attacker finds who sees the model.");
    attack_at(std::nullopt, table);
    for (const double epsilon : options_.epsilons) attack_at(epsilon, table);
    add_aims(table);
  }

  void attack_at(std::optional<double> epsilon, Table& table) {
    const std::string name = epsilon ? fmt::format("{:g}", *epsilon) : "none";
    Row& row = table.add({{"epsilon", name}});
    for (int seed = 1; seed <= options_.seeds; ++seed) {
      console_.say(fmt::format("attacks, epsilon {}, seed {}", name, seed));
      Job job = records_job(1);
      gnn::RecordsOptions size;
      size.seed = static_cast<std::uint64_t>(seed);
      const gnn::GraphData whole = gnn::make_records(size);
      const std::int64_t records = std::ssize(gnn::rows_where(whole.train_mask));
      job.training.seed = static_cast<std::uint64_t>(seed);
      job.training.batch = 100;
      job.training.epochs = epsilon ? 30 : 300;
      std::optional<double> noise;
      if (epsilon) {
        make_private(job, 1, kDelta);
        job.training.mode = gnn::TrainingMode::kAggregate;
        job.training.privacy->noise.reset();
        job.training.privacy->epsilon = *epsilon;
        noise = gnn::record_privacy(job.training, {records}, 1).noise;
      }
      const gnn::Plans plans = job;
      const gnn::Rehearsal rehearsal(job.training, plain_data(plans, whole), noise);
      const auto model = rehearsal.trained(rehearsal.data().train, job.training.seed);
      const gnn::MembershipAttack found =
          gnn::attack_membership(rehearsal, model, options_.shadows, 1000 * job.training.seed);
      const gnn::InvertedColumn bit = gnn::attack_inversion(rehearsal, model, job.training.seed).back();
      row.figure("accuracy, trained on", "%").add(100 * found.of_members);
      row.figure("accuracy, others", "%").add(100 * found.of_others);
      row.figure("commonest class, others", "%").add(100 * found.constant_of_others);
      row.figure("AUC by fit", "").add(found.by_fit.area);
      if (found.by_shadows) row.figure("AUC by shadow models", "").add(found.by_shadows->area);
      row.figure("AUC, untrained model", "").add(found.untrained.area);
      if (epsilon) row.figure("AUC at most", "").add(gnn::largest_area(*epsilon, kDelta));
      row.figure("random bit, trained on", "%").add(100 * bit.members);
      row.figure("random bit, others", "%").add(100 * bit.others);
    }
  }

  void add_aims(const Table& table) {
    const auto median = [](const Row& row) {
      const Samples* shadows = row.find("AUC by shadow models");
      return shadows != nullptr ? shadows->median() : row.find("AUC by fit")->median();
    };
    constexpr double kOpen = 0.8, kHidden = 0.52;
    made_.aim({"AUC of membership on an overfitted model", fmt::format(">= {:g}", kOpen),
               fmt::format("{:.3f}", median(table.rows.front())), median(table.rows.front()) >= kOpen});
    for (const Row& row : table.rows) {
      if (row.label("epsilon") != "1") continue;
      made_.aim({"the same with epsilon 1", fmt::format("<= {:g}", kHidden), fmt::format("{:.3f}", median(row)),
                 median(row) <= kHidden});
    }
  }

  Trials& trials_;
  const PrivacyOptions& options_;
  Console& console_;
  Measurements made_;
};

}  // namespace

Measurements measure_privacy(Trials& trials, const PrivacyOptions& options, const std::string& command,
                             Console& console) {
  return Privacy(trials, options, command, console).take();
}

}  // namespace tacit::launcher
