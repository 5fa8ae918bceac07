// Revealed — a metric that the job reveals: the metric, its nodes, its audience, and when it is evaluated.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gnn/metric/metric_name.h"
#include "gnn/metric/part.h"
#include "mpc/session/session.h"

namespace tacit::gnn {

// Over classes: micro adds up the counts of all classes, macro is the mean of the classes' own numbers.
enum class Average { kMicro, kMacro };
inline constexpr WordTable<Average, 2> kAverages = {{{Average::kMicro, "micro"}, {Average::kMacro, "macro"}}};

struct Revealed {
  Metric metric = Metric::kRootMeanSquaredError;
  Part part = Part::kTest;
  mpc::To to = mpc::To::everyone();
  std::int64_t every = 0;                     // epochs between evaluations of this metric; 0: the plan's period
  std::optional<std::int64_t> of_class = {};  // for a class rate or a ranking
  std::optional<Average> average = {};        // for a class rate
  std::int64_t bins = 0;                      // for a ranking; 0: every two nodes are compared

  // `class_names`: the names of classes in the job; empty if it has none.
  void describe(SettingVisitor& visitor, std::span<const std::string> class_names = {});
  bool operator==(const Revealed&) const = default;
};

// The settings that tell metrics of one name apart: `class`, `average` and `bins`, as far as the metric has them.
void describe_variant(SettingVisitor& visitor, Metric metric, std::optional<std::int64_t>& of_class,
                      std::optional<Average>& average, std::int64_t& bins, std::span<const std::string> class_names);
// The same as a job states them: `class = 2`, `average = "macro"`, `class = 1, bins = 64`; empty if none is stated.
std::string variant_text(const Revealed& what);

// "test rmse", "validation f1_macro", "test roc_auc_class_2_in_64_bins". Equal names are equal numbers.
std::string name_of(const Revealed& what);

// The class that a class rate or a ranking is about, or empty for an average: class 1 of two classes, the macro
// average of more.
std::optional<std::int64_t> class_of(const Revealed& what, std::int64_t classes);

// The metrics of a job that names none: with two classes accuracy, recall and f1 of the test nodes, since accuracy alone
// hides a rare class. Otherwise none.
std::vector<Revealed> default_metrics(std::int64_t classes);

inline constexpr std::int64_t kMostExactlyRanked = 4096;  // nodes; a ranking of more nodes needs bins
inline constexpr std::int64_t kMostBins = 1024;

}  // namespace tacit::gnn
