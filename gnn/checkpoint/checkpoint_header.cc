#include "gnn/checkpoint/checkpoint_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gnn/checkpoint/checkpoint.pb.h"

namespace tacit::gnn {

namespace {

constexpr int kMostTensors = 4096;
constexpr int kMostReveals = 1024;
constexpr std::size_t kMostText = 256;
constexpr std::size_t kMostSettings = 64 << 10;
constexpr std::int64_t kMostTensorRows = std::int64_t{1} << 31;
constexpr std::int64_t kMostContent = std::int64_t{1} << 40;
constexpr std::int64_t kMostCount = std::int64_t{1} << 53;
constexpr std::int64_t kMostOwnScale = std::int64_t{1} << 30;
constexpr std::int64_t kNumberBytes = 8;

void require(bool holds, const char* why) {
  if (!holds) throw ProtocolError(std::string("the header of a checkpoint is malformed: ") + why);
}

bool is_count(std::int64_t value) { return value >= 0 && value <= kMostCount; }

std::string bytes_of(const mpc::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

mpc::Digest digest_from(const std::string& bytes) {
  mpc::Digest digest;
  require(bytes.size() == digest.size(), "a hash in it has another length");
  std::memcpy(digest.data(), bytes.data(), digest.size());
  return digest;
}

StateLayout::Entry entry_from(const proto::Tensor& tensor) {
  require(tensor.name().size() <= kMostText, "a name in it is too long");
  require(
      tensor.rows() >= 0 && tensor.rows() < kMostTensorRows && tensor.cols() >= 0 && tensor.cols() < kMostTensorRows,
      "a tensor in it has an impossible size");
  require(tensor.ring_bits() >= 1 && tensor.ring_bits() <= mpc::kWordBits && tensor.fraction_bits() >= 0 &&
              tensor.fraction_bits() < tensor.ring_bits(),
          "a tensor in it has an impossible format");
  require(std::isfinite(tensor.bound()) && tensor.bound() > 0, "a bound in it is not a positive number");
  StateLayout::Entry entry{
      tensor.name(), {tensor.rows(), tensor.cols()}, {tensor.ring_bits(), tensor.fraction_bits()}, tensor.bound()};
  require(mpc::fits({entry.name, entry.format, entry.bound}), "a tensor in it does not fit its ring");
  return entry;
}

StateLayout::Known known_from(const proto::Known& known) {
  require(known.name().size() <= kMostText, "a name in it is too long");
  require(known.rows() >= 0 && known.rows() < kMostTensorRows && known.cols() >= 0 && known.cols() < kMostTensorRows,
          "a matrix in it has an impossible size");
  return {known.name(), {known.rows(), known.cols()}};
}

StateLayout layout_from(const proto::Layout& layout) {
  require(is_count(layout.epochs()) && is_count(layout.training_passes()) && is_count(layout.optimiser_steps()) &&
              is_count(layout.stale()) && is_count(layout.best_epoch()) && is_count(layout.plateau_stale()) &&
              is_count(layout.reductions()) && is_count(layout.planned_epochs()),
          "a count in it is out of range");
  require(layout.tensors_size() <= kMostTensors && layout.known_size() <= kMostTensors, "it has too many tensors");
  require(layout.parameters() >= 0 && layout.parameters() <= layout.tensors_size(), "it lacks tensors");
  const int scales = (layout.scale_of_features() ? 1 : 0) + (layout.scale_of_targets() ? 1 : 0);
  require(layout.best() ? layout.best_epoch() <= layout.epochs() : layout.best_epoch() == 0,
          "its best model is of no epoch of the training");
  const std::int64_t models = layout.best() ? 2 : 1;
  require(is_count(layout.perturbed()) &&
              models * layout.parameters() <= layout.tensors_size() - kSharesOfAScale * scales - layout.perturbed(),
          "it lacks tensors");
  for (const auto* columns : {&layout.feature_columns(), &layout.target_columns()}) {
    require(columns->size() <= net::kMaxWorldSize, "it lists columns of too many ranks");
    for (const std::int64_t number : *columns)
      require(number >= 0 && number < kMostTensorRows, "it lists too many columns");
  }
  StateLayout made{layout.epochs(),
                   layout.training_passes(),
                   layout.optimiser_steps(),
                   layout.parameters(),
                   layout.stale(),
                   {},
                   {layout.feature_columns().begin(), layout.feature_columns().end()},
                   {layout.target_columns().begin(), layout.target_columns().end()},
                   layout.scale_of_features(),
                   layout.scale_of_targets(),
                   layout.best(),
                   layout.best_epoch(),
                   layout.plateau_stale(),
                   layout.reductions(),
                   layout.planned_epochs(),
                   {},
                   layout.perturbed()};
  std::int64_t content = 0;
  for (const proto::Known& known : layout.known()) {
    made.known.push_back(known_from(known));
    const Shape shape = made.known.back().shape;
    require(shape.size() <= kMostContent, "a matrix in it is too large");
    content += kNumberBytes * shape.size();
    require(content <= kMostContent, "its matrices are too large");
  }
  for (const proto::Tensor& tensor : layout.tensors()) {
    made.tensors.push_back(entry_from(tensor));
    const Shape shape = made.tensors.back().shape;
    require(shape.size() <= kMostContent, "a tensor in it is too large");
    content += mpc::SavedShare::content_bytes(shape, made.tensors.back().format);
    require(content <= kMostContent, "its tensors are too large");
  }
  for (int i = 1; i <= kSharesOfAScale * scales; ++i) {  // three rows of each scale
    const Shape row = made.tensors[made.tensors.size() - static_cast<std::size_t>(i)].shape;
    const std::size_t first = static_cast<std::size_t>((i + kSharesOfAScale - 1) / kSharesOfAScale * kSharesOfAScale);
    require(row.rows == 1 && row == made.tensors[made.tensors.size() - first].shape, "a scale in it is not of rows");
  }
  return made;
}

void fill(proto::Layout& to, const StateLayout& layout) {
  to.set_epochs(layout.epochs);
  to.set_training_passes(layout.training_passes);
  to.set_optimiser_steps(layout.optimiser_steps);
  to.set_parameters(layout.parameters);
  to.set_stale(layout.stale);
  for (const StateLayout::Entry& entry : layout.tensors) {
    proto::Tensor& tensor = *to.add_tensors();
    tensor.set_name(entry.name.substr(0, kMostText));
    tensor.set_rows(entry.shape.rows);
    tensor.set_cols(entry.shape.cols);
    tensor.set_ring_bits(entry.format.ring_bits);
    tensor.set_fraction_bits(entry.format.fraction_bits);
    tensor.set_bound(entry.bound);
  }
  for (const std::int64_t columns : layout.feature_columns) to.add_feature_columns(columns);
  for (const std::int64_t columns : layout.target_columns) to.add_target_columns(columns);
  to.set_scale_of_features(layout.scale_of_features);
  to.set_scale_of_targets(layout.scale_of_targets);
  to.set_best(layout.best);
  to.set_best_epoch(layout.best_epoch);
  to.set_plateau_stale(layout.plateau_stale);
  to.set_reductions(layout.reductions);
  to.set_planned_epochs(layout.planned_epochs);
  to.set_perturbed(layout.perturbed);
  for (const StateLayout::Known& known : layout.known) {
    proto::Known& told = *to.add_known();
    told.set_name(known.name.substr(0, kMostText));
    told.set_rows(known.shape.rows);
    told.set_cols(known.shape.cols);
  }
}

mpc::Reveal reveal_from(const proto::Reveal& reveal, int parties) {
  require(reveal.reason().size() <= kMostText, "a reason in it is too long");
  require(reveal.to() >= -1 && reveal.to() < parties, "it names a rank that does not exist");
  require(is_count(reveal.count()) && is_count(reveal.elements()), "a count in it is out of range");
  return {reveal.reason(), {reveal.to()}, reveal.count(), reveal.elements()};
}

template <typename Message>
Message parsed(std::string_view bytes) {
  Message message;
  require(std::ssize(bytes) <= kMostHeaderBytes, "it is too long");
  require(message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), "it cannot be parsed");
  return message;
}

}  // namespace

std::int64_t StateLayout::content_bytes() const {
  std::int64_t bytes = 0;
  for (const Entry& entry : tensors) bytes += mpc::SavedShare::content_bytes(entry.shape, entry.format);
  return bytes;
}

std::int64_t StateLayout::known_bytes() const {
  std::int64_t bytes = 0;
  for (const Known& one : known) bytes += kNumberBytes * one.shape.size();
  return bytes;
}

std::vector<Tensor> tensors_of(const TrainingState& state) {
  std::vector<Tensor> all = state.parameters;
  all.insert(all.end(), state.optimiser.tensors.begin(), state.optimiser.tensors.end());
  if (state.best) all.insert(all.end(), state.best->parameters.begin(), state.best->parameters.end());
  if (state.perturbed) {
    all.push_back(state.perturbed->columns);
    all.insert(all.end(), state.perturbed->encoder.begin(), state.perturbed->encoder.end());
  }
  const auto add = [&](const std::optional<DataScale::Shared>& scale, const std::string& of) {
    if (!scale) return;
    const auto row = [&](const mpc::Share& share, const char* what) {
      all.emplace_back(share, std::nextafter(mpc::largest(share.format()), 0), fmt::format("{} of {}", what, of));
    };
    row(scale->columns.mean, "means");
    row(scale->columns.inverse_deviation, "inverse deviations");
    row(scale->columns.deviation, "deviations");
  };
  add(state.scale.features, "features");
  add(state.scale.targets, "targets");
  return all;
}

StateLayout layout_of(const TrainingState& state) {
  StateLayout layout{state.epochs,
                     state.training_passes,
                     state.optimiser.steps,
                     std::ssize(state.parameters),
                     state.progress.stale,
                     {},
                     state.scale.feature_columns,
                     state.scale.target_columns,
                     state.scale.features.has_value(),
                     state.scale.targets.has_value(),
                     state.best.has_value(),
                     state.best ? state.best->epoch : 0,
                     state.plateau.stale,
                     state.reductions,
                     state.planned_epochs,
                     {},
                     state.perturbed ? 1 + std::ssize(state.perturbed->encoder) : 0};
  for (const NamedMatrix& known : state.known) layout.known.push_back({known.name, mpc::shape_of(known.values)});
  for (const Tensor& tensor : tensors_of(state)) {
    layout.tensors.push_back({tensor.name(), tensor.shape(), tensor.format(), tensor.bound()});
  }
  return layout;
}

std::string encode(const StateLayout& layout) {
  proto::Layout message;
  fill(message, layout);
  return message.SerializeAsString();
}

StateLayout parse_layout(std::string_view bytes) { return layout_from(parsed<proto::Layout>(bytes)); }

std::string encode(const CheckpointHeader& header) {
  proto::Header message;
  message.set_job(bytes_of(header.job));
  message.set_run(bytes_of(header.run));
  message.set_nonce(bytes_of(header.nonce));
  message.set_key(bytes_of(header.key));
  message.set_data(bytes_of(header.data));
  message.set_rank(header.rank);
  message.set_parties(header.parties);
  message.set_saved_at(header.saved_at);
  fill(*message.mutable_layout(), header.layout);
  for (const mpc::Reveal& line : header.reveals) {
    proto::Reveal& reveal = *message.add_reveals();
    reveal.set_reason(line.reason.substr(0, kMostText));
    reveal.set_to(line.to.party);
    reveal.set_count(line.count);
    reveal.set_elements(line.elements);
  }
  message.set_model(bytes_of(header.model));
  message.set_settings(header.settings.substr(0, kMostSettings));
  message.set_own_scale_bytes(header.own_scale_bytes);
  return message.SerializeAsString();
}

CheckpointHeader parse_header(std::string_view bytes) {
  const auto message = parsed<proto::Header>(bytes);
  require(message.parties() >= 1 && message.parties() <= net::kMaxWorldSize, "its number of parties is impossible");
  require(message.rank() >= 0 && message.rank() < message.parties(), "its rank is not below its number of parties");
  require(message.reveals_size() <= kMostReveals, "it lists too many reveals");
  CheckpointHeader header{digest_from(message.job()),
                          digest_from(message.run()),
                          digest_from(message.nonce()),
                          digest_from(message.key()),
                          digest_from(message.data()),
                          message.rank(),
                          message.parties(),
                          message.saved_at(),
                          layout_from(message.layout()),
                          {},
                          digest_from(message.model()),
                          message.settings(),
                          message.own_scale_bytes()};
  require(header.own_scale_bytes >= 0 && header.own_scale_bytes <= kMostOwnScale, "a size in it is out of range");
  require(header.settings.size() <= kMostSettings, "its settings are too long");
  for (const proto::Reveal& line : message.reveals()) header.reveals.push_back(reveal_from(line, header.parties));
  return header;
}

}  // namespace tacit::gnn
