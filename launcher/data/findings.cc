#include "launcher/data/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "gnn/data/cleaning_mark.h"
#include "gnn/data/holding.h"
#include "gnn/data/labels.h"
#include "gnn/data/links.h"
#include "gnn/data/part_check.h"
#include "gnn/data/preparation.h"
#include "gnn/data/several_graphs.h"
#include "gnn/train/predictions.h"
#include "gnn/train/target_check.h"
#include "gnn/train/target_scale.h"
#include "launcher/data/contents.h"
#include "launcher/job/job.h"
#include "net/error.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

constexpr double kNoDeviation = 1e-9;
constexpr std::size_t kMostNamed = 8;  // columns named in one sentence

class Look {
 public:
  Look(const gnn::GraphData& part, const Job& job, int rank, const std::string& file)
      : part_(part), job_(job), rank_(rank), file_(file) {}

  Findings all() {
    holds_what_the_job_says();
    kind_of_labels();
    masks();
    features();
    targets();
    edges();
    ids();
    cleaning();
    return found_;
  }

 private:
  template <typename... Arguments>
  void wrong(fmt::format_string<Arguments...> what, Arguments&&... arguments) {
    found_.wrong.push_back(fmt::format(what, std::forward<Arguments>(arguments)...));
  }
  template <typename... Arguments>
  void note(fmt::format_string<Arguments...> what, Arguments&&... arguments) {
    found_.notes.push_back(fmt::format(what, std::forward<Arguments>(arguments)...));
  }

  // `where` begins the message, for an action without a place in its own messages.
  template <typename Action>
  void expect(const Action& action, std::string_view where = "") {
    try {
      action();
    } catch (const ConfigError& error) {
      wrong("{}{}{}{}", where, error.what(), error.local_detail().empty() ? "" : ": ", error.local_detail());
    }
  }

  void holds_what_the_job_says() {
    expect([&] { gnn::check_part(part_, job_.data.ownership, rank_, static_cast<int>(job_.parties), file_); });
    expect([&] { gnn::check_edge_weights(part_, job_.data.edge_weights, file_); });
    expect(
        [&] { gnn::check_sums_of_weights(part_, job_.data.ownership.edges, static_cast<int>(job_.parties), file_); });
    expect(
        [&] { gnn::check_numbers_of_edges(part_, job_.data.ownership.edges, static_cast<int>(job_.parties), file_); });
  }

  // The numbers that replaced missing values must be in the account of a private training.
  void cleaning() {
    using Imputed = gnn::CleaningMark::Imputed;
    const std::optional<gnn::PrivacySettings>& privacy = job_.training.privacy;
    if (!privacy || privacy->unit != gnn::PrivacyUnit::kRecord) return;
    std::optional<gnn::CleaningMark> mark;
    expect([&] { mark = gnn::cleaning_mark_in(file_); });
    if (!mark) return;
    if (mark->imputed == Imputed::kExact) {
      wrong(
          "{}: missing values were replaced by statistics of the rows, so each record moved numbers of others, and the "
          "epsilon of [privacy] does not cover that: clean with constants, or by statistics with noise (tacit data "
          "sum-statistics --epsilon)",
          file_);
    }
    if (mark->imputed == Imputed::kNoisy && job_.ledger.empty()) {
      wrong(
          "{}: missing values were replaced by statistics with noise, and their epsilon is in a privacy ledger, but "
          "the "
          "job names none: say ledger in [privacy]",
          file_);
    }
  }

  void kind_of_labels() {
    if (job_.data.links) {
      expect([&] { gnn::check_links(part_, *job_.data.links, job_.data.ownership.edges, file_); });
      return links();
    }
    const std::int64_t classes = job_.data.classes;
    if (classes > 0 && part_.targets) {
      wrong(
          "{}: y: these are targets (numbers with fractions), but the job has classes = {}; store classes as whole "
          "numbers 0 ... {}, or take classes out of the job",
          file_, classes, classes - 1);
    }
    if (classes == 0 && part_.classes) {
      wrong(
          "{}: y: these are classes (whole numbers), but the job says no classes; say data.classes in the job, or "
          "store "
          "targets as float64",
          file_);
    }
    if (classes > 0) expect([&] { gnn::check_classes(part_, classes, file_); });
    const gnn::Announcement held = gnn::announcement_of(part_);
    const std::int64_t unlabelled = gnn::subjects_in(part_, held.y.rows) - held.labelled;
    if (unlabelled == 0 || gnn::sees_masks_of_labels(job_.data.ownership, rank_)) return;
    wrong("{}: y: {}", file_, gnn::unseen_masks(unlabelled, subject()));
  }

  void links() {
    if (gnn::tells_predictions(job_.training) && (!part_.pairs || part_.pairs->size() == 0)) {
      wrong(
          "{}: pairs: it is missing, and the job reveals predictions of pairs of nodes: give every rank the same "
          "pairs, or set reveal.predictions and reveal.probabilities to \"nobody\"",
          file_);
    }
    if (!part_.edges || !found_.wrong.empty()) return;
    const gnn::LinkParts links = gnn::links_of(part_, *job_.data.links);
    note("{}: {} are {} to train on, {} to validate and {} to test (data.links)", file_,
         several(part_.edges->size(), "edge"), several(links.train.size(), "link"), links.validation.size(),
         links.test.size());
    const auto needed = [&](gnn::Part part, const gnn::Edges& its) {
      if (its.size() > 0 || part_.own_rows || !told_.insert(std::string(gnn::name_of(part))).second) return;
      wrong(
          "{}: edge_index: the file has no {} links, and the job reveals a metric of them; {}, or take the metric out",
          file_, gnn::name_of(part),
          job_.data.links->from_files ? "give some edges this part"
                                      : fmt::format("state a larger data.links.{}", gnn::name_of(part)));
    };
    for (const gnn::Revealed& metric : job_.training.metrics) {
      if (metric.part == gnn::Part::kValidation) needed(metric.part, links.validation);
      if (metric.part == gnn::Part::kTest) needed(metric.part, links.test);
    }
  }

  void masks() {
    if (job_.data.ownership.masks.kind == gnn::PartOwnership::Kind::kNone) return;
    const auto expect_nodes = [&](const std::optional<gnn::NodeMask>& mask, std::string_view key,
                                  std::string_view why) {
      if (mask && count(mask) == 0) wrong("{}: {}: it names no {}, and {}", file_, key, subject(), why);
    };
    const bool public_masks = job_.data.ownership.masks.kind == gnn::PartOwnership::Kind::kPublic;
    if (public_masks) expect_nodes(part_.train_mask, "train_mask", "there is nothing to train on");
    for (const gnn::Revealed& metric : job_.training.metrics) {
      if (public_masks) needed(metric.part, fmt::format("the job reveals {} of it", gnn::name_of(metric.metric)));
    }
    if (public_masks && job_.training.stopping && job_.training.stopping->judged.metric)
      needed(job_.training.stopping->judged.part, "training stops by it");
    if (public_masks && job_.training.plateau && job_.training.plateau->judged.metric)
      needed(job_.training.plateau->judged.part, "the learning rate depends on it");
    overlap(part_.train_mask, part_.test_mask, "train_mask and test_mask");
    overlap(part_.train_mask, part_.val_mask, "train_mask and val_mask");
    overlap(part_.val_mask, part_.test_mask, "val_mask and test_mask");
  }

  void needed(gnn::Part part, const std::string& why) {
    const bool validation = part == gnn::Part::kValidation;
    const std::string_view key = validation ? "val_mask" : part == gnn::Part::kTest ? "test_mask" : "train_mask";
    const auto& mask = validation ? part_.val_mask : part == gnn::Part::kTest ? part_.test_mask : part_.train_mask;
    if (count(mask) > 0 || !told_.insert(std::string(key)).second) return;
    if (part == gnn::Part::kTrain) return;  // reported already
    wrong("{}: {}: it {}, and {}", file_, key, mask ? fmt::format("names no {}", subject()) : "is missing", why);
  }

  std::string_view subject() const { return gnn::subject_name(!part_.graphs.empty()); }

  void overlap(const std::optional<gnn::NodeMask>& a, const std::optional<gnn::NodeMask>& b, std::string_view names) {
    if (!a || !b || a->size() != b->size()) return;
    std::int64_t both = 0;
    for (std::size_t i = 0; i < a->size(); ++i) both += (*a)[i] && (*b)[i] ? 1 : 0;
    if (both == 0) return;
    const auto& privacy = job_.training.privacy;
    if (privacy && privacy->unit == gnn::PrivacyUnit::kRecord && &a == &part_.train_mask) {
      return wrong("{}: {} {}s are in both {}: metrics of training records are exact, and no noise covers them", file_,
                   both, subject(), names);
    }
    note("{} {}s are in both {}: metrics there do not predict the error on new data", both, subject(), names);
  }

  // Features standardised across the owners of rows are not checked, since no party knows the
  // common mean and deviation.
  void features() {
    const gnn::PartOwnership& owned = job_.data.ownership.features;
    if (owned.kind == gnn::PartOwnership::Kind::kNone) return;
    const gnn::FeatureScaling scaling = job_.data.features;
    if (scaling == gnn::FeatureScaling::kWhole) {
      expect([&] { gnn::check_whole_features(part_, job_.training.ranges.features, file_); });
      return;
    }
    if (scaling == gnn::FeatureScaling::kNone) may_be_whole(), may_vanish();
    if (part_.sparse_x && scaling == gnn::FeatureScaling::kNone) {
      double most = 0;
      for (const double value : part_.sparse_x->values) most = std::max(most, std::abs(value));
      expect_within("x", most);
      return;
    }
    if (part_.sparse_x && scaling == gnn::FeatureScaling::kStandardise) {
      const gnn::Matrix x = part_.sparse_x->dense();
      matrix("x", x, owned, &x, job_.data.cut);
    }
    if (part_.x && scaling != gnn::FeatureScaling::kRowSum) {
      const gnn::Matrix x = job_.data.fills_features() ? with_features_filled(owned) : *part_.x;
      matrix("x", x, owned, scaling == gnn::FeatureScaling::kStandardise ? &x : nullptr, job_.data.cut);
    }
  }

  // The first layer multiplies the features themselves, not their means over neighbours, by its weights.
  void may_be_whole() {
    const gnn::LayerSpec& first = job_.training.model.layers.front();
    const bool reads =
        first.kind == gnn::LayerSpec::Kind::kDense || first.kind == gnn::LayerSpec::Kind::kMeanAggregation;
    if (!reads || job_.training.privacy || job_.training.aggregates()) return;
    try {
      gnn::check_whole_features(part_, job_.training.ranges.features, file_);
    } catch (const ConfigError&) {
      return;
    }
    note(
        "x: every feature in {} is a whole number: if all owners' are, preprocessing.features = \"whole\" takes {} "
        "bits "
        "from each masked feature",
        file_, job_.training.top.fraction_bits);
  }

  // Numbers far smaller than a unit of the fixed-point grid.
  void may_vanish() {
    const int bits = job_.training.top.fraction_bits;
    const double half_unit = std::ldexp(1.0, -bits - 1);
    std::int64_t vanishing = 0;
    const auto count = [&](double value) { vanishing += value != 0 && std::abs(value) < half_unit ? 1 : 0; };
    if (part_.sparse_x) std::ranges::for_each(part_.sparse_x->values, count);
    if (part_.x) std::ranges::for_each(part_.x->reshaped(), count);
    if (vanishing == 0) return;
    note(
        "x: {} feature{} smaller than half a unit of the fixed-point numbers (2^-{}, ring.fraction_bits) and would be "
        "0: "
        "say preprocessing.features = \"standardise\", or give the column in a smaller unit",
        vanishing, vanishing == 1 ? " is" : "s are", bits + 1);
  }

  // If each owner has some rows, the means are over all owners, no party knows them, and x stays unchanged.
  gnn::Matrix with_features_filled(const gnn::PartOwnership& owned) {
    const auto missing = static_cast<std::int64_t>(part_.x->array().isNaN().count());
    if (missing == 0) return *part_.x;
    note("x: {} of {} features are missing: each becomes the mean of its column{}", missing, part_.x->size(),
         owned.kind == gnn::PartOwnership::Kind::kByRows ? " over all owners" : "");
    if (owned.kind == gnn::PartOwnership::Kind::kByRows) return *part_.x;
    gnn::Matrix x;
    expect([&] { x = gnn::filled(*part_.x); }, file_ + ": ");
    return x;
  }

  void targets() {
    if (job_.data.classes > 0 || !part_.targets) return;
    outputs(part_.targets->cols());
    const gnn::DataPlan plan = job_.data;
    if (!plan.standardise_targets) {
      matrix("y", gnn::labelled_targets(part_), plan.ownership.labels, nullptr);
      return;
    }
    const gnn::Matrix telling = gnn::targets_of_scale(plan, part_);
    if (telling.size() == 0) return;  // no node to train on; reported already
    const gnn::Matrix known = gnn::labelled_targets(part_);
    if (known.allFinite()) expect([&] { gnn::check_unit(telling); }, file_ + ": ");
    matrix("y", known, plan.ownership.labels, &telling);
  }

  // Checks the number of outputs. If owners have columns each, every other owner has at least one.
  void outputs(std::int64_t columns) {
    const gnn::PartOwnership& owned = job_.data.ownership.labels;
    const bool some = owned.kind == gnn::PartOwnership::Kind::kByColumns;
    if (some && !owned.sizes.empty()) return;  // the job checks the sum
    const std::int64_t outputs = gnn::outputs_of(job_.training.model, 0);
    const std::int64_t others = some ? job_.parties - 1 : 0;
    if (some ? columns + others <= outputs : columns == outputs) return;
    wrong("{}: y: {} for a model of {}{}: let its last layer have an output for each target, or change y", file_,
          several(columns, "column"), several(outputs, "output"),
          others > 0 ? fmt::format(", and other owners ({}) have outputs, too", others) : "");
  }

  // Checks the values after standardisation by the rows `by`, if present.
  void matrix(std::string_view what, const gnn::Matrix& values, const gnn::PartOwnership& owned, const gnn::Matrix* by,
              const std::optional<double>& cut = std::nullopt) {
    if (values.size() == 0 || !values.allFinite()) return;
    if (by == nullptr) {
      expect_within(what, largest(values));
      return;
    }
    if (owned.kind == gnn::PartOwnership::Kind::kByRows) return;
    constant_columns(what, *by);
    expect_within(fmt::format("{}, standardised,", what), largest(gnn::cut_at(gnn::standardised(values, *by), cut)));
  }

  static double largest(const gnn::Matrix& matrix) { return matrix.cwiseAbs().maxCoeff(); }

  void expect_within(std::string_view what, double most) {
    const double range = job_.training.ranges.features;
    if (most <= range) return;
    wrong(
        "{}: {} reaches {:.4g}, and the job declares at most {} (ranges.features); beyond it results are "
        "wrong: scale the file, cut standardised features with preprocessing.cut, or declare a wider range",
        file_, what, most, range);
  }

  void constant_columns(std::string_view what, const gnn::Matrix& matrix) {
    std::vector<Eigen::Index> constant;
    for (Eigen::Index col = 0; col < matrix.cols(); ++col) {
      const auto its = matrix.col(col);
      const double spread = matrix.rows() > 0 ? its.maxCoeff() - its.minCoeff() : 0;
      if (spread <= kNoDeviation * std::max(1.0, its.cwiseAbs().maxCoeff())) constant.push_back(col);
    }
    if (constant.empty()) return;
    const std::size_t all = constant.size();
    constant.resize(std::min(all, kMostNamed));
    note("{}: the same number at every {} in {} of its columns ({}{}): these carry no information", what,
         what == "y" ? subject() : gnn::subject_name(false), all, fmt::join(constant, ", "),
         all > constant.size() ? ", ..." : "");
  }

  void edges() {
    if (!part_.edges || part_.edges->size() == 0) return;
    using Kind = gnn::PartOwnership::Kind;
    const Kind kind = job_.data.ownership.edges.kind;
    if (kind != Kind::kPublic && kind != Kind::kWhole) return;  // other parties may have the reverse edge
    std::set<std::pair<std::int64_t, std::int64_t>> ways;
    for (std::size_t e = 0; e < part_.edges->from.size(); ++e) ways.emplace(part_.edges->from[e], part_.edges->to[e]);
    std::int64_t one_way = 0;
    for (const auto& [from, to] : ways) one_way += ways.contains({to, from}) ? 0 : 1;
    if (one_way > 0) {
      note("{} of {} edges lead one way only; an undirected edge needs both directions", one_way, ways.size());
    }
    const std::int64_t repeated = part_.edges->size() - std::ssize(ways);
    if (repeated > 0) note("{} edges are repeated", repeated);
  }

  void ids() {
    if (part_.ids || job_.parties < 2 || gnn::splits_nodes(job_.data.ownership)) return;
    note(
        "no ids: the parties trust that the rows are the same nodes in the same order as in the others' files; with an "
        "array `ids`, or a column id in nodes.csv, the parties compare them");
  }

  const gnn::GraphData& part_;
  const Job& job_;
  int rank_;
  const std::string& file_;
  std::set<std::string> told_;  // keys
  Findings found_;
};

}  // namespace

std::string newer_than_aligned(const Job& job, int rank) {
  const std::string own = job.files.of(rank), made = part_file(job, rank);
  if (own.empty() || own == made) return "";
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(made, error);
  if (error) return "";
  fs::file_time_type newest = fs::last_write_time(own, error);
  if (error) return "";
  for (fs::directory_iterator table(own, error), end; !error && table != end; table.increment(error)) {  // a folder
    newest = std::max(newest, table->last_write_time(error));
  }
  if (newest <= written) return "";
  return fmt::format(
      "{} was changed after {} was made from it, and the job reads the latter: to take the change in, run `tacit data "
      "align JOB` "
      "at every rank",
      own, made);
}

Findings findings(const gnn::GraphData& part, const Job& job, int rank, const std::string& file) {
  Findings found = Look(part, job, rank, file).all();
  if (const std::string note = newer_than_aligned(job, rank); !note.empty() && file == part_file(job, rank)) {
    found.notes.push_back(note);
  }
  return found;
}

}  // namespace tacit::launcher
