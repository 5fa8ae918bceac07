#include "launcher/attack/attacked_job.h"

#include <fmt/format.h>

#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/model/model_file.h"
#include "gnn/train/agreed_privacy.h"
#include "gnn/train/target_scale.h"
#include "launcher/launch/twin.h"
#include "launcher/plan/range_check.h"
#include "launcher/run/revealed_model.h"

namespace tacit::launcher {

namespace {

// The array as a matrix of this shape: weights have a row for each output in a file.
gnn::Matrix matrix_of(const gnn::NpyArray& array, const gnn::Matrix& like, const std::string& name,
                      const std::string& file) {
  const std::vector<double> values = gnn::values_as<double>(array);
  const bool fits = array.shape.size() == 2
                        ? array.shape[0] == like.cols() && array.shape[1] == like.rows()
                        : array.shape.size() == 1 && like.rows() == 1 && array.shape[0] == like.cols();
  if (!fits) {
    throw ConfigError(
        fmt::format("{}: {} has another shape than the job's model; attack the model of this job", file, name));
  }
  gnn::Matrix matrix(like.rows(), like.cols());
  for (Eigen::Index row = 0; row < like.rows(); ++row) {
    for (Eigen::Index col = 0; col < like.cols(); ++col) {
      matrix(row, col) = values[static_cast<std::size_t>(col * like.rows() + row)];
    }
  }
  return matrix;
}

// The number in "layer 2 weight", and the words behind it.
std::pair<std::size_t, std::string> layer_and_what(const std::string& name) {
  const std::size_t end = name.find(' ', 6);
  return {std::stoul(name.substr(6, end - 6)), name.substr(end + 1)};
}

// The parameters in the scale in which the job trains.
std::vector<gnn::NamedMatrix> parameters_of(const RevealedModel& revealed, const Job& job, const gnn::PlainData& data,
                                            const gnn::GraphData& whole) {
  const ModelDescription& description = revealed.model.description;
  std::vector<gnn::NamedMatrix> parameters =
      gnn::initial_parameters(job.training.model, data.x.cols(), job.training.seed);
  const std::string file = revealed.file.string();
  for (gnn::NamedMatrix& one : parameters) {
    const auto [layer, what] = layer_and_what(one.name);
    const std::string name = gnn::array_name(job.training.model, layer, what);
    const auto known = std::find_if(revealed.model.arrays.begin(), revealed.model.arrays.end(),
                                    [&](const gnn::NamedArray& array) { return array.key == name; });
    if (known == revealed.model.arrays.end()) {
      throw ConfigError(fmt::format("{} has no array {}; attack the model of this job", file, name));
    }
    one.values = matrix_of(known->array, one.values, name, file);
  }
  const std::size_t first = layer_and_what(parameters.front().name).first,
                    last = layer_and_what(parameters.back().name).first;
  if (description.features.scaling == Scaling::kFolded) {
    const gnn::Matrix x = filled_features(job.data, whole);
    const gnn::Matrix deviations = gnn::deviations(x);
    for (gnn::NamedMatrix& one : parameters) {
      const auto [layer, what] = layer_and_what(one.name);
      if (layer != first || what == "bias") continue;
      for (Eigen::Index row = 0; row < one.values.rows(); ++row) one.values.row(row) *= deviations(0, row);
    }
  }
  if (description.targets.scaling == Scaling::kFolded) {
    const gnn::Matrix targets = gnn::targets_of_scale(job.data, whole);
    const gnn::Matrix deviations = gnn::deviations(targets), mean = targets.colwise().mean();
    for (gnn::NamedMatrix& one : parameters) {
      const auto [layer, what] = layer_and_what(one.name);
      if (layer != last) continue;
      if (what == "bias") one.values -= mean;
      for (Eigen::Index col = 0; col < one.values.cols(); ++col) one.values.col(col) /= deviations(0, col);
    }
  }
  return parameters;
}

}  // namespace

AttackedJob attacked_job(const Job& job, const std::string& job_file, const std::vector<std::string>& overrides,
                         const std::string& data, const std::string& from) {
  if (job.data.links) throw ConfigError("a job that learns links has no model of records to attack");
  if (job.data.snapshots > 1) {
    throw ConfigError(
        "a node has a row in each snapshot (data.snapshots), and attacks are on records that stand alone");
  }
  const gnn::Plans plans = job;
  const std::vector<gnn::GraphData> parts = all_parts(job, data);
  const gnn::DataAgreement agreement = gnn::agreement_of(plans.data, plans.training, parts);
  const gnn::GraphData whole = gnn::merge(parts, job.data.ownership);
  gnn::PlainData plain = plain_data(plans, whole);
  const RevealedModel revealed = find_revealed_model(from.empty() ? job_file : from, overrides);
  std::vector<gnn::NamedMatrix> model = parameters_of(revealed, job, plain, whole);
  std::optional<double> epsilon, delta, noise;
  if (job.training.privacy) {
    const gnn::TrainingPrivacy privacy = gnn::privacy_of(job.training, agreement);
    const gnn::PrivacyPlan account = privacy.account(job.training.epochs);
    const gnn::Mechanism steps = gnn::mechanism_of(account, account.adversaries.front(), account.steps);
    noise = account.adversaries.front().noise;
    delta = job.training.privacy->delta;
    epsilon = gnn::epsilon_of(std::span(&steps, 1), *delta).told();
  }
  return {gnn::Rehearsal(job.training, std::move(plain), noise), std::move(model), revealed.file.string(), epsilon,
          delta};
}

}  // namespace tacit::launcher
