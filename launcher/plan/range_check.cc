#include "launcher/plan/range_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/arithmetic/watched_names.h"
#include "gnn/data/part_check.h"
#include "gnn/data/split.h"
#include "gnn/train/range_left.h"
#include "gnn/train/share_graph.h"
#include "launcher/data/own_part.h"
#include "launcher/data/read_part.h"
#include "launcher/job/job.h"
#include "mpc/session/clear_session.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr int kMostTries = 8;  // each try with wider ranges

struct Try {
  std::vector<mpc::RangeViolation> violations;
  std::int64_t epochs = 0;
  std::string problem;  // why it ended early, except for a range that was left
  std::string left;     // the sentence of the range watch
};

// Runs until the range watch reports a value out of range: the values seen so far suffice to widen
// a range.
Try tried(const gnn::Plans& plans, const gnn::DataAgreement& agreement, const std::vector<gnn::GraphData>& parts) {
  mpc::ClearSession session(static_cast<int>(parts.size()));
  Try result;
  try {
    const gnn::PartOf part_of = [&](int rank) { return &parts[static_cast<std::size_t>(rank)]; };
    gnn::Trainer trainer(session, plans.training,
                         gnn::share_graph(session, plans.data, plans.training, agreement, part_of));
    trainer.run([&](const gnn::EpochEvent& event) { result.epochs = event.epoch; });
  } catch (const gnn::RangeLeft& error) {
    result.left = net::printable(error.what(), 500);
  } catch (const Error& error) {
    result.problem = net::printable(error.what(), 500);
  }
  result.violations = session.range_violations();
  return result;
}

double gnn::Ranges::*range_named(const std::string& key) {
  for (int group = 0; group < gnn::kWatchedGroups; ++group) {
    const gnn::WatchedRange range = gnn::range_of(static_cast<gnn::Watched>(group));
    if (key == range.key) return range.range;
  }
  return nullptr;
}

// Widens the ranges that were left. Returns true if any was widened.
bool widen(const Try& one, gnn::Ranges& ranges, RangeCheck& check) {
  bool widened = false;
  for (const mpc::RangeViolation& violation : one.violations) {
    double gnn::Ranges::*const range = range_named(violation.what);
    if (range == nullptr || violation.largest <= ranges.*range) continue;
    const double enough = std::exp2(std::ceil(std::log2(violation.largest)) + 1);
    auto known = std::find_if(check.left.begin(), check.left.end(),
                              [&](const RangeCheck::Left& left) { return left.key == violation.what; });
    if (known == check.left.end()) known = check.left.insert(known, {violation.what, ranges.*range, 0, 0});
    known->largest = std::max(known->largest, violation.largest);
    known->enough = enough;
    ranges.*range = enough;
    widened = true;
  }
  return widened;
}

std::vector<gnn::GraphData> with_links_apart(const Job& job, std::vector<gnn::GraphData> parts) {
  for (gnn::GraphData& part : parts) {
    if (job.data.links) part = gnn::with_links_apart(std::move(part), *job.data.links);
  }
  return parts;
}

}  // namespace

std::vector<gnn::GraphData> all_parts(const Job& job, const std::string& sample) {
  std::vector<gnn::GraphData> parts;
  const int parties = static_cast<int>(job.parties);
  if (sample.empty()) {
    for (int rank = 0; rank < parties; ++rank) parts.push_back(read_own_part(job, rank, [](const std::string&) {}));
    return with_links_apart(job, std::move(parts));
  }
  gnn::GraphData whole = read_whole(job, sample);
  leave_out_unused(job, whole, nullptr);
  gnn::check_edge_weights(whole, job.data.edge_weights, sample);
  if (job.data.links) gnn::check_links(whole, *job.data.links, job.data.ownership.edges, sample);
  if (job.data.classes > 0 && !job.data.links) gnn::check_classes(whole, job.data.classes, sample);
  if (job.data.features == gnn::FeatureScaling::kWhole) {
    gnn::check_whole_features(whole, job.training.ranges.features, sample);
  }
  for (int rank = 0; rank < parties; ++rank) {
    parts.push_back(gnn::part_of(whole, job.data.ownership, rank, parties));
  }
  return with_links_apart(job, std::move(parts));
}

RangeCheck check_ranges(const Job& job, const std::vector<gnn::GraphData>& parts, std::int64_t epochs) {
  gnn::Plans plans = job;
  plans.training.epochs = std::min(epochs, plans.training.epochs);
  plans.training.audit_every = 1;
  plans.training.checkpoint_every = 0;
  plans.training.stopping.reset();
  const gnn::DataAgreement agreement = gnn::agreement_of(plans.data, plans.training, parts);
  RangeCheck check;
  check.clean_then = false;
  for (int time = 0; time < kMostTries && !check.clean_then; ++time) {
    const Try one = tried(plans, agreement, parts);
    check.epochs = std::max(check.epochs, one.epochs);
    check.problem = one.problem;
    const bool widened = widen(one, plans.training.ranges, check);
    if (!widened && check.problem.empty()) check.problem = one.left;  // the input of a layer norm: no range is its own
    check.clean_then = !widened && one.problem.empty() && one.epochs == plans.training.epochs;
    if (!widened) break;
  }
  return check;
}

std::string RangeCheck::text() const {
  std::string text;
  if (left.empty() && clean_then) {
    return fmt::format("ranges: {} epochs in the clear stay within all declared ranges\n", epochs);
  }
  const auto fits = [](const Left& one) { return one.enough <= gnn::kMostOfRange; };
  if (std::any_of(left.begin(), left.end(), fits)) {
    text += "ranges that the job would leave, found in the clear; lines to put into it:\n\n[ranges]\n";
  }
  for (const Left& one : left) {
    if (!fits(one)) continue;
    text += fmt::format("{:<40}  # {:g} is declared, and {:.4g} was seen\n",
                        fmt::format("{} = {}", one.key, one.enough), one.declared, one.largest);
  }
  for (const Left& one : left) {
    if (fits(one)) continue;
    text += fmt::format(
        "no range holds the {}: {:.4g} was seen, and a range is {} at most; standardise the features, lower "
        "training.optimiser.rate, or take sage or gcn for gin\n",
        one.key, one.largest, gnn::kMostOfRange);
  }
  if (clean_then) return text + fmt::format("\nwith these, {} epochs stay within all ranges\n", epochs);
  if (!problem.empty()) return text + fmt::format("\nthe range check ended early: {}\n", problem);
  return text + "\nthe job would leave these ranges, too: the training may diverge; lower training.optimiser.rate\n";
}

Json RangeCheck::json() const {
  Json json = {{"epochs", epochs},
               {"clean", left.empty() && clean_then},
               {"clean_then", clean_then},
               {"problem", problem.empty() ? Json() : Json(problem)},
               {"left", Json::array()}};
  for (const Left& one : left) {
    json["left"].push_back(
        {{"key", "ranges." + one.key}, {"declared", one.declared}, {"largest", one.largest}, {"enough", one.enough}});
  }
  return json;
}

}  // namespace tacit::launcher
