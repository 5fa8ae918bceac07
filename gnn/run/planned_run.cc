#include "gnn/run/planned_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gnn/graph/secret_adjacency.h"
#include "gnn/privacy/privacy_loss.h"
#include "gnn/run/planned_aggregate.h"
#include "gnn/run/planned_epochs.h"
#include "gnn/train/agreed_privacy.h"
#include "gnn/train/batches.h"
#include "gnn/train/perturbed_graph.h"
#include "gnn/train/share_records.h"
#include "gnn/train/shared_edges.h"
#include "gnn/train/trainer.h"
#include "mpc/functions/known_answer.h"
#include "mpc/protocols/compare_transcripts.h"
#include "net/collectives/calibrate.h"

namespace tacit::gnn {

namespace {

using PlannedStep = PlannedRun::Step;

constexpr std::int64_t kLeastBatches = 16;

// Indices of the batches that are planned in each epoch. The losses of the other batches are added
// up as well.
using Chosen = std::vector<std::size_t>;

void keep(const Chosen& chosen, SecretGraph& graph) {
  std::vector<SecretGraph::Batch> kept;
  for (const std::size_t i : chosen) kept.push_back(graph.batches[i]);
  kept.front().stands_for += std::ssize(graph.batches) - std::ssize(kept);
  graph.batches = std::move(kept);
}

// The job to plan, and the rank for which costs are planned.
struct Planning {
  const DataPlan& data;
  const TrainingPlan& training;
  const DataAgreement& agreement;
  const PlannedRank& rank;
  std::optional<TrainingPrivacy> privacy;

  bool is_perturbed() const { return training.model.perturbed.has_value(); }

  // `passing`: words of epochs before the training's own, which are not held at the same time.
  SecretGraph graph(mpc::PlanSession& session, std::int64_t& passing) const {
    std::optional<RecordSource> source;
    const auto nobody = [](int) { return nullptr; };
    if (is_perturbed()) {
      std::int64_t first = -1, last = 0;
      const auto note = [&] {
        last = session.work().words;
        if (first < 0) first = last;
      };
      SecretGraph graph = perturbed_graph(session, data, training, agreement, nobody, *privacy, note).graph;
      passing = last - first;
      return graph;
    }
    if (privacy) source = RecordSource{*privacy, 0, 0, nobody, nullptr, {}, {}};
    return share_for_training(session, data, training, agreement, nobody, std::move(source));
  }
};

PlannedRun planned_with(const Chosen& batches, const PlannedEpochs& epochs, const Planning& planning) {
  const auto& [data, training, agreement, rank, privacy] = planning;
  const int owners = static_cast<int>(agreement.holding.edges.size());
  mpc::PlanSession session(owners, rank.parties, rank.rank, rank.openings, training.correlations_from());
  PlannedRun run;
  session.begin_part(kTestPart);
  mpc::expect_known_answer(session);
  std::int64_t passing = 0;
  SecretGraph graph = planning.graph(session, passing);
  run.batches = std::ssize(graph.batches);
  if (graph.blocks) {
    run.predicted_blocks = std::max<std::int64_t>(std::ssize(graph.blocks->all), 1);
    std::int64_t measured = 0;
    for (const auto& [part, blocks] : graph.blocks->measured) measured += std::ssize(blocks);
    run.measured_blocks = measured > 0 ? measured : run.predicted_blocks;
  }
  keep(batches, graph);
  Trainer trainer(session, training, std::move(graph));
  if (planning.is_perturbed() && training.checkpoint_every > 0) trainer.keep_beginning();
  SessionAccount begin = so_far(session);
  run.sharing = begin.step;
  session.take_most_dealt();
  run.sharing.work.words -= passing;
  run.normalising = words_of_normalising(session, agreement.holding.graph_nodes());
  EpochTally tally(epochs, std::move(begin));
  trainer.between_epochs([&](std::int64_t epoch) {
    tally.take(epoch, so_far(session), run);
    trainer.skip(epochs.left_out_after(epoch));
  });
  trainer.run();
  trainer.reveal_model();
  trainer.reveal_predictions();
  session.begin_part(kComparePart);
  mpc::compare_transcripts(session);
  session.end_part();
  run.profile = trainer.profile();
  run.most_dealt = session.take_most_dealt();
  tally.finish(so_far(session), run);
  run.making = {session.making(), session.stated().made_bytes, session.memory_of_maker()};
  return run;
}

// Two plans of one job, where `more` has `by` more batches than `less`. The difference is
// extrapolated to `count` batches.
struct Growth {
  const PlannedRun& less;
  const PlannedRun& more;
  std::int64_t by = 1;  // batches
  std::int64_t count = 0;

  std::int64_t of(std::int64_t from, std::int64_t until) const {
    return (until - from) / by * count + (until - from) % by * count / by;
  }
  PlannedStep of(const PlannedStep& from, const PlannedStep& until) const {
    return times(SessionAccount{until - from, {}, {}}, by, count).step;
  }
};

// The cost of a protocol in a part, which may lack it: a step with few batches may have no link, for example.
mpc::ProtocolCost stated_in(const mpc::Profile::Part& part, std::string_view protocol) {
  for (const mpc::Profile::Protocol& one : part.protocols) {
    if (one.stated.protocol == protocol) return one.stated;
  }
  return {};
}

// Both plans run the same program, so their parts have the same indices. `whole` has every protocol of `more`.
void extend(mpc::Profile& whole, const mpc::Profile& less, const mpc::Profile& more, const Growth& growth) {
  for (std::size_t part = 0; part < whole.parts.size(); ++part) {
    mpc::Profile::Part& to = whole.parts[part];
    const mpc::Profile::Part &from = less.parts.at(part), &until = more.parts.at(part);
    TACIT_CHECK(to.name == until.name && to.name == from.name);
    to.times += growth.of(from.times, until.times);
    for (auto& [stated, time, waited] : to.protocols) {
      const mpc::ProtocolCost a = stated_in(from, stated.protocol), b = stated_in(until, stated.protocol);
      stated.calls += growth.of(a.calls, b.calls);
      stated.cost += growth.of({a.cost, {}}, {b.cost, {}}).cost;
    }
  }
}

// Extrapolates costs alone: reveals and decisions do not depend on the number of batches.
PlannedRun extended(PlannedRun run, const Growth& growth) {
  const PlannedRun &less = growth.less, &more = growth.more;
  const auto extend_step = [&](PlannedStep& to, const PlannedStep& from, const PlannedStep& until) {
    to = to + growth.of(from, until);
  };
  extend_step(run.sharing, less.sharing, more.sharing);
  for (std::size_t i = 0; i < run.epochs.size(); ++i) extend_step(run.epochs[i], less.epochs[i], more.epochs[i]);
  extend_step(run.left_out.cost, less.left_out.cost, more.left_out.cost);
  extend_step(run.results, less.results, more.results);
  extend_step(run.total, less.total, more.total);
  extend(run.profile.before, less.profile.before, more.profile.before, growth);
  extend(run.profile.first_epoch, less.profile.first_epoch, more.profile.first_epoch, growth);
  extend(run.profile.later_epochs, less.profile.later_epochs, more.profile.later_epochs, growth);
  extend(run.profile.after, less.profile.after, more.profile.after, growth);
  return run;
}

// Groups batches by everything on which the cost of a step depends: the number of nodes that each
// layer reads, and the numbers of labelled nodes and of secret links.
std::vector<Chosen> batches_by_shape(const Planning& planning) {
  const auto& [data, training, agreement, rank, privacy] = planning;
  mpc::PlanSession session(static_cast<int>(agreement.holding.edges.size()), rank.parties, rank.rank, rank.openings,
                           training.correlations_from());
  std::int64_t passing = 0;
  const SecretGraph graph = planning.graph(session, passing);
  std::map<std::vector<std::int64_t>, Chosen> by_shape;
  for (std::size_t i = 0; i < graph.batches.size(); ++i) {
    const SecretGraph::Batch& batch = graph.batches[i];
    std::vector<std::int64_t> shape{batch.labelled.count()};
    for (std::size_t layer = 0; layer <= training.model.layers.size(); ++layer) {
      shape.push_back(std::ssize(batch.view.inputs(layer)));
    }
    if (data.links) shape.push_back(batch.view.ends().secret_pairs());
    by_shape[shape].push_back(i);
  }
  std::vector<Chosen> all;
  for (auto& [shape, batches] : by_shape) all.push_back(std::move(batches));
  return all;
}

// Audits and checkpoints, which some epochs have besides the evaluation of metrics.
PlannedEpochs::More more_of(const TrainingPlan& training) {
  PlannedEpochs::More more;
  const bool some_audits = training.audit_every > 1;
  if (some_audits) more.periods.push_back({training.audit_every, {.masks = true}});
  // A checkpoint has an audit, too.
  if (training.checkpoint_every > 0) {
    more.periods.push_back({training.checkpoint_every, {.masks = some_audits, .tells_at_once = true}});
  }
  more.always = {.masks = training.audit_every == 1, .tells_at_once = judges_loss(training)};
  return more;
}

// The number of batches of one shape to plan. The first batch of an epoch may find masked weights, so the plan needs a second
// one. If only some batches of an epoch are planned, they include all starting steps of an optimiser and one later step: from
// there on the cost grows evenly with the batches.
std::int64_t kept_of(const Chosen& alike, std::int64_t starting) {
  constexpr std::int64_t kLeast = 2;
  return std::min(std::ssize(alike), std::max(kLeast, starting + 1));
}

Chosen first(std::int64_t count) {
  Chosen all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

const PlannedRun::Step& PlannedRun::usual_epoch() const {
  constexpr std::size_t kBothEnds = 3;
  std::vector<const Step*> usual;
  const std::size_t cut = epochs.size() >= kBothEnds ? 1 : 0;  // the first epoch shares and masks, the last evaluates
  for (std::size_t i = cut; i + cut < epochs.size(); ++i) usual.push_back(&epochs[i]);
  std::map<std::int64_t, std::int64_t> alike;  // number of epochs by number of rounds
  for (const Step* epoch : usual) {
    alike[epoch->cost.rounds] += stands_for[static_cast<std::size_t>(epoch - epochs.data())];
  }
  const auto most =
      std::max_element(alike.begin(), alike.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::erase_if(usual, [&](const Step* epoch) { return epoch->cost.rounds != most->first; });
  std::sort(usual.begin(), usual.end(), [](const Step* a, const Step* b) { return a->cost.bytes < b->cost.bytes; });
  std::int64_t before_middle = (most->second - 1) / 2;
  for (const Step* epoch : usual) {
    before_middle -= stands_for[static_cast<std::size_t>(epoch - epochs.data())];
    if (before_middle < 0) return *epoch;
  }
  return *usual.back();
}

DataAgreement sizes_of(const DataAgreement& agreed) {
  DataAgreement sizes{agreed.holding, agreed.counts, agreed.by_rank, agreed.links, {}, agreed.training_sizes, {}};
  sizes.whole_sizes = agreed.whole_sizes;
  sizes.measured_sizes = agreed.measured_sizes;
  sizes.asked_sizes = agreed.asked_sizes;
  return sizes;
}

namespace {

PlannedRun planned_steps(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                         const PlannedRank& rank) {
  Planning planning{data, training, agreement, rank, std::nullopt};
  if (training.privacy) planning.privacy = privacy_of(training, agreement);
  const PassingBytes before =
      bytes_before_sharing(training, planning.privacy ? &*planning.privacy : nullptr, rank.parties);
  const std::vector<Chosen> shapes = batches_by_shape(planning);
  const std::int64_t starting = starting_steps(training.optimiser);
  Chosen chosen;
  std::int64_t batches = 0, runs = 1;
  for (const Chosen& alike : shapes) {
    chosen.insert(chosen.end(), alike.begin(), alike.begin() + kept_of(alike, starting));
    batches += std::ssize(alike);
    if (std::ssize(alike) > kept_of(alike, starting)) ++runs;
  }
  const std::int64_t most = std::max({kLeastBatches, 2 * (starting + 1), rank.most_steps / PlannedEpochs::kLeast});
  if (batches <= most) chosen = first(batches), runs = 1;
  const bool one_by_one = runs * std::ssize(chosen) <= 2 * most;
  const PlannedEpochs epochs(training, one_by_one ? std::ssize(chosen) : most, rank.most_steps, more_of(training));
  const auto planned = [&](const Chosen& some) { return planned_with(some, epochs, planning); };
  if (!one_by_one) {  // too many shapes to plan each: extrapolate from two numbers of batches
    const PlannedRun few = planned(first(most / 2)), more = planned(first(most));
    PlannedRun all = extended(more, {few, more, most - most / 2, batches - most});
    all.before = before;
    all.left_out.batches = batches - most;
    return all;
  }
  const PlannedRun few = planned(chosen);
  PlannedRun all = few;
  all.before = before;
  for (const Chosen& alike : shapes) {
    const std::int64_t left = std::ssize(alike) - kept_of(alike, starting);
    if (runs == 1 || left == 0) continue;
    Chosen one_more = chosen;
    one_more.push_back(alike[static_cast<std::size_t>(kept_of(alike, starting))]);
    all = extended(std::move(all), {few, planned(one_more), 1, left});
  }
  return all;
}

}  // namespace

PlannedRun planned_run(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                       const PlannedRank& rank) {
  if (training.aggregates()) return planned_aggregate(data, training, agreement, rank);
  PlannedRun run = planned_steps(data, training, agreement, rank);
  run.making = run.making.of_run(run.total.cost.made_bytes);
  const auto add_part = [&run](PlannedStep& step) { step.cost += run.making.part_of(step.cost); };
  for (PlannedStep* step : {&run.sharing, &run.left_out.cost, &run.results, &run.total}) add_part(*step);
  std::ranges::for_each(run.epochs, add_part);
  return run;
}

Making Making::of_run(std::int64_t made_bytes) const {
  if (made_bytes == bytes || bytes == 0) return {cost, made_bytes, memory};
  return {part_of({.made_bytes = made_bytes}), made_bytes, memory};
}

mpc::Cost Making::part_of(const mpc::Cost& step) const {
  if (bytes == 0) return {};
  const auto part = [&](std::int64_t number) {
    if (step.made_bytes == bytes) return number;
    const double share = static_cast<double>(step.made_bytes) / static_cast<double>(bytes);
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(number) * share));
  };
  return {.rounds = part(cost.rounds),
          .bytes = part(cost.bytes),
          .messages = part(cost.messages),
          .made_rounds = part(cost.made_rounds),
          .made_bytes = part(cost.made_bytes)};
}

PassingBytes bytes_before_sharing(const TrainingPlan& training, const TrainingPrivacy* privacy, int parties) {
  PassingBytes bytes;
  if (training.openings == Openings::kMeasured) bytes.links = net::calibration_bytes(parties);
  if (privacy == nullptr) return bytes;
  const PrivacyPlan plan = privacy->account(training.epochs);
  for (const Adversary& one : plan.adversaries) {  // counted one after the other
    const std::vector<Mechanism> mechanism{mechanism_of(plan, one, plan.steps)};
    bytes.account = std::max(bytes.account, bytes_of_loss(mechanism, training.privacy->delta));
  }
  return bytes;
}

PassingWords words_of_normalising(const mpc::PlanSession& session, std::int64_t nodes) {
  const mpc::WordsOfSteps edges = session.words_of(kSharingEdgesPart), made = session.words_of(kNormalisingPart);
  if (edges.all + made.all == 0) return {};
  const std::int64_t pairs = nodes * nodes, left = made.steps * pairs;
  const std::int64_t of_edges = 2 * std::min(edges.all, 2 * pairs);  // as read and as shares, perhaps with weights
  const double block = std::min(1.0, static_cast<double>(kPairsAtOnce) / static_cast<double>(pairs));
  const auto of_block = static_cast<std::int64_t>(static_cast<double>(made.most) * block);
  return {edges.all + made.all, std::max(edges.all + pairs, of_edges + left + of_block), left};
}

}  // namespace tacit::gnn
