#include "gnn/run/predicting_rank.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gnn/data/part_check.h"
#include "gnn/data/part_digest.h"
#include "gnn/run/bounded_leakage.h"
#include "gnn/run/planned_prediction.h"
#include "gnn/run/run_steps.h"
#include "gnn/train/shared_columns.h"
#include "gnn/train/training_profile.h"
#include "mpc/functions/known_answer.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "net/byte_fields.h"
#include "net/collectives/collectives.h"
#include "net/collectives/tell_all.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

const PredictionOptions kQuietPrediction{};

// A name of the data and nodes of a prediction, which is equal at all parties and in all sessions. The parties exchange
// digests that are keyed with their storage keys: no party can check a guess of another party's data.
mpc::Digest common_name(net::Mesh& mesh, const CheckpointStore& store, const GraphData& own, const Rows& nodes) {
  std::vector<mpc::Digest> digests(static_cast<std::size_t>(mesh.parties()), store.keyed(part_digest(own)));
  std::vector<net::Bytes> bytes;
  for (mpc::Digest& digest : digests) bytes.emplace_back(digest);
  net::Group group(mesh);
  net::all_gather(group, bytes);
  net::ByteWriter writer;
  for (const mpc::Digest& digest : digests) writer.raw(digest);
  for (const std::int64_t node : nodes) writer.number(static_cast<std::uint64_t>(node));
  return mpc::digest_of(writer.take());
}

// Names of columns, where both files have names. Only their owner sees them.
void expect_names(const std::vector<std::string>& trained, const GraphData& own, const std::string& data_name) {
  const std::vector<std::string>& now = own.feature_names;
  if (trained.empty() || now.empty() || trained == now) return;
  for (std::size_t c = 0; c < std::min(trained.size(), now.size()); ++c) {
    if (trained[c] == now[c]) continue;
    throw ConfigError(fmt::format("{}: x: column {} is \"{}\", and \"{}\" in the training: give the same columns in "
                                  "the same order",
                                  data_name, c, net::printable(now[c], 60), net::printable(trained[c], 60)),
                      "", "has other columns than in the training, or in another order");
  }
}

}  // namespace

PredictingRank::PredictingRank(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training,
                               const GraphData* own, const PredictionOptions& options, const std::string& goal)
    : mesh_(mesh), data_(data), training_(training), options_(options) {
  const bool party = mesh.world().is_party();
  if (party != (own != nullptr)) {
    throw ConfigError(party ? "this rank is a party, but was given no data; every party predicts with its own part"
                            : "this rank is the dealer, but was given data; the dealer sees none");
  }
  begin_phase("comparing the jobs");
  expect_same_plans(mesh, {data, training}, fmt::format("goal = {}\n{}", goal, source_line(training)));
  source_ = source_of(training, mesh.world());
  if (party) {
    if (!options.checkpoints) {
      throw ConfigError(
          "a prediction needs the checkpoints of a training, but this rank was given no folder and no "
          "key for them");
    }
    own_ = part_of_prediction(*own, data.ownership, mesh.rank());
    about_own("its part of the data", [&] { check_own(); });
  }
  begin_phase("looking for a checkpoint");
  CheckpointStore::Found found;
  if (party) {
    StoreOptions store = store_of_job(*options.checkpoints, {data, training});
    store.predicting = true;
    store.other_data = options.other_data || !takes_part(data.ownership, mesh.rank());
    found = about_own(kCheckpoints, [&] { return store_.emplace(std::move(store)).find(); });
  }
  for (const std::string& why : found.refused) {
    if (options.on_note) options.on_note(why);
  }
  point_ = agree_on_checkpoint(mesh, found.usable, IfNone::kRefuse, 1, options.on_note, found.saved);
  begin_phase("agreeing on the data");
  std::vector<int> other_data = ranks_with_other_data();
  // On the training's data, messages go along the edges of training links, as in the training; otherwise along all edges.
  if (party && data.links && other_data.empty()) own_ = with_links_apart(std::move(own_), *data.links);
  PredictionOptions::Subject subject{
      agree_on_prediction(mesh, data, training, point_->layout.feature_columns, party ? &own_ : nullptr, options.nodes),
      std::move(other_data), point_->layout};
  if (training.model.perturbed && !subject.other_data.empty()) {
    throw ConfigError(
        "a perturbed model predicts the nodes of its training, along the edges of its training: sums over other edges "
        "would need noise of their own. Give every rank the data of the training, and name nodes with --who");
  }
  expect_bounded_leakage(data, training, subject.agreement, mesh.parties());
  agree_on_revealed(subject);
  agreement_ = subject.agreement;
  if (options.on_subject) options.on_subject(subject);
}

PredictingRank::PredictingRank(const PredictingRank& party, OfMaker)
    : mesh_(party.mesh_),
      data_(party.data_),
      training_(party.training_),
      options_(kQuietPrediction),
      is_maker_(true),
      point_(party.point_),
      agreement_(sizes_of(party.agreement_)),
      subject_(party.subject_),
      held_(without_contents(party.held_)) {}

RunResult PredictingRank::run(const Act& act, const Act& ahead) {
  return mesh_.world().is_party() ? as_party(act, ahead) : as_dealer(act);
}

RunResult PredictingRank::as_party(const Act& act, const Act& ahead) {
  const net::AllReducePlan openings =
      openings_of_session(mesh_, training_.openings, [&] { begin_phase("measuring the links"); });
  const mpc::SessionOptions options{.threads = options_.threads, .device = options_.device};
  const std::unique_ptr<mpc::MakingAhead> maker = maker_of(training_, mesh_, options);
  mpc::PartySession session(mesh_, openings, options, maker ? maker->source() : source_);
  const auto restore = [&] {
    TrainingState state = about_own(kCheckpoints, [&] { return store_->resume(session, session.nonce(), point_->id); });
    const auto& names = state.scale.own[static_cast<std::size_t>(mesh_.rank())].feature_names;
    about_own("its part of the data", [&] { expect_names(names, own_, options_.data_name); });
    const std::vector<std::int64_t> ignored = columns_taken_for_zero(own_, state.scale);
    if (!ignored.empty() && options_.on_note) {
      options_.on_note(
          fmt::format("x, column{} {}: zero in all of the training's data, so the model knows nothing of other values "
                      "and takes them "
                      "for zero",
                      ignored.size() == 1 ? "" : "s", fmt::join(ignored, ", ")));
    }
    return state;
  };
  RunResult result;
  if (maker == nullptr) {
    result = result_of(session, restore, act);
  } else {
    PredictingRank half(*this, OfMaker());
    maker->run(
        [&](mpc::Session& of_maker) {
          half.result_of(
              of_maker, [&] { return restored_by_dealer(of_maker, half.point_->layout); }, ahead);
        },
        [&] { result = result_of(session, restore, act); });
    add_making(*maker, result);
  }
  result.openings = openings;
  return result;
}

RunResult PredictingRank::as_dealer(const Act& act) {
  mpc::DealerSession session(mesh_, {.threads = options_.threads, .device = options_.device});
  RunResult result = result_of(
      session, [&] { return restored_by_dealer(session, point_->layout); }, act);
  session.flush();
  return result;
}

void PredictingRank::check_own() const {
  if (!takes_part(data_.ownership, mesh_.rank())) return;
  check_part(own_, ownership_of_prediction(data_.ownership), mesh_.rank(), mesh_.parties(), options_.data_name,
             OwnNodes::kAnyNumber);
  check_missing_features(own_, data_.fills_features(), options_.data_name);
  if (data_.features == FeatureScaling::kWhole) {
    check_whole_features(own_, training_.ranges.features, options_.data_name);
  }
  check_edge_weights(own_, data_.edge_weights, options_.data_name);
  check_sums_of_weights(own_, data_.ownership.edges, mesh_.parties(), options_.data_name);
  check_numbers_of_edges(own_, data_.ownership.edges, mesh_.parties(), options_.data_name);
}

// A rank without features and edges has no data of a prediction.
std::vector<int> PredictingRank::ranks_with_other_data() {
  const bool party = mesh_.world().is_party();
  const std::int64_t other = party && takes_part(data_.ownership, mesh_.rank()) && !point_->same_data ? 1 : 0;
  const std::vector<std::vector<std::int64_t>> all = net::tell_numbers(mesh_, std::span(&other, 1));
  std::vector<int> ranks;
  for (int rank = 0; rank < mesh_.parties(); ++rank) {
    if (all[static_cast<std::size_t>(rank)][0] != 0) ranks.push_back(rank);
  }
  return ranks;
}

// Finds the shares of predictions that were revealed before. Predictions for all nodes of the training's own data have the
// names that the training gave them.
void PredictingRank::agree_on_revealed(const PredictionOptions::Subject& subject) {
  const bool of_training = subject.other_data.empty() && !subject.agreement.asker;
  if (!of_training) {
    mpc::Digest name{};
    if (store_) name = common_name(mesh_, *store_, own_, subject.agreement.nodes);
    subject_ = store_ ? fmt::format(" {:02x}", fmt::join(std::span(name).first<8>(), "")) : " of other data";
  }
  std::vector<std::string> names = names_of_predictions(training_);
  for (std::string& name : names) name += subject_;
  for (const std::string& name : names_of_folded(training_)) names.push_back(name);
  held_ = agree_on_kept(mesh_, store_ ? &*store_ : nullptr, point_->id, names);
}

void PredictingRank::begin_phase(const char* phase) const {
  if (is_maker_) return;
  mesh_.set_step(phase);
  if (options_.on_phase) options_.on_phase(phase);
}

RunResult PredictingRank::result_of(mpc::Session& session, const std::function<TrainingState()>& restore,
                                    const Act& act) {
  begin_phase("testing the session");
  session.begin_part(kTestPart);
  mpc::expect_known_answer(session);
  KeptShares kept(store_ ? &*store_ : nullptr, point_->id, std::move(held_));
  session.begin_part(kCheckpointPart);
  TrainingState state = restore();
  if (state.uses_best() && options_.on_note) {
    options_.on_note(
        fmt::format("predicts with the model after epoch {}, the best one of the training", state.best->epoch));
  }
  begin_phase("sharing the data");
  const PartOf part = [&](int rank) { return rank == mesh_.rank() && store_ ? &own_ : nullptr; };
  PredictionGraph graph = share_for_prediction(session, data_, training_, agreement_, state.scale, part);
  if (training_.model.perturbed) {
    if (!state.perturbed)
      throw ConfigError("the checkpoint has no sums over edges; predict with the job that saved it");
    graph.x = state.perturbed->columns.certain();
  }
  Predictor predictor(session, training_, std::move(graph),
                      std::move(state.uses_best() ? state.best->parameters : state.parameters));
  session.end_part();
  const mpc::Profile before = session.profile();
  begin_phase("predicting");
  const std::int64_t epoch = point_->id.epoch;
  RunResult result;
  result.epochs = state.epochs;
  if (state.uses_best()) result.of_epoch = state.best->epoch;
  const OncePerName of_model = [&](const std::string& name, const std::function<Tensor()>& compute) {
    if (const std::optional<Tensor> known = kept.find(session, epoch, name)) return *known;
    const Tensor computed = compute();
    kept.keep(epoch, name, computed);
    return computed;
  };
  const OncePerName predictions = [&](const std::string& name, const std::function<Tensor()>& compute) {
    return of_model(name + subject_, compute);
  };
  act({session, predictor, predictions, of_model, result});
  if (agreement_.asker) result.nodes = agreement_.nodes;
  session.begin_part(kComparePart);
  mpc::compare_transcripts(session);
  session.end_part();
  result.profile = {before, {}, 0, {}, session.profile() - before};
  result.reveals = mpc::with_test_value_last(store_ ? store_->reveals(session) : session.reveals());
  result.decisions = session.decisions();
  result.cost = session.stated();
  result.costs = session.stated_by_protocol();
  return result;
}

}  // namespace tacit::gnn
