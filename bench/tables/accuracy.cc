#include "bench/tables/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "bench/baselines/exact_gaussian_process.h"
#include "bench/baselines/mean_predictor.h"
#include "bench/baselines/neighbour_mean.h"
#include "bench/baselines/ridge_regression.h"
#include "bench/baselines/sparse_gaussian_process.h"
#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/tuned_network.h"
#include "gnn/data/graph_npz.h"
#include "gnn/model/model_file.h"
#include "gnn/plain/plain_trainer.h"
#include "launcher/event_json.h"
#include "launcher/launch/twin.h"

namespace tacit::launcher {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kUnit = "ug/m3";

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// The size of an .npz file of these arrays, as `tacit` writes it.
double file_bytes(const std::vector<gnn::NamedArray>& arrays) {
  std::size_t bytes = 0;
  gnn::ZipWriter archive([&bytes](std::span<const std::byte> written) { bytes += written.size(); });
  gnn::write_npz(archive, arrays, gnn::Compression::kDeflated);
  return static_cast<double>(bytes);
}

class Accuracy {
 public:
  Accuracy(Trials& trials, const AccuracyOptions& options, const std::string& command, Console& console)
      : trials_(trials), options_(options), console_(console), made_("accuracy", command) {
    table_ = &made_.table("models", "Errors on the training and the test nodes, in the targets' unit.");
    sizes_ = &made_.table("sizes",
                          "The model as `tacit export` writes it; each party's shares of the model, a word of the "
                          "ring for each parameter; the data in one file, deflated like the model.");
  }

  Measurements take() {
    for (int city = 1; city <= options_.cities; ++city) measure_city(city);
    const AccuracyOptions stated;
    add_aim(options_.epochs, stated.epochs);
    add_aim(options_.full_epochs, stated.full_epochs);
    made_.note(
        fmt::format("the sensor network of `tacit demo` in {} cities of 300 stations, each made from a seed; "
                    "median, least and most are over the cities; {} parties and a dealer on this machine, loopback",
                    options_.cities, options_.parties));
    made_.note(
        "the GCN, on shares and as its twin, is trained with the settings of `tacit demo`, the same in every city; the "
        "dense network and GraphSAGE have a row with the same settings and as few epochs, and a tuned row with the "
        "learning rate and the number of epochs that err least on the validation nodes; all have 16 hidden units");
    made_.note(
        "the GCN and GraphSAGE see the graph; the dense network, ridge and Gaussian-process regression see each "
        "station's own readings alone; the mean over neighbours sees the graph and the targets, no reading; the mean "
        "predictor sees the targets alone; the validation nodes pick ridge's penalty, the likelihood picks the "
        "parameters of Gaussian processes");
    made_.note(
        "the training time of a network, on shares or plain, is the sum of its epochs with the evaluation in the last "
        "one, without the start and the meeting of the ranks and the sharing of the data; for a tuned network it is "
        "the chosen training, without the search; for a regression it is fit and prediction");
    return std::move(made_);
  }

 private:
  Row& row(const std::string& model, const std::string& epochs) {
    for (Row& one : table_->rows) {
      if (one.label("model") == model && one.label("epochs") == epochs) return one;
    }
    return table_->add({{"model", model}, {"epochs", epochs}});
  }

  static void add(Row& row, const std::string& what, double rmse) {
    if (what == "train rmse") row.figure("train RMSE", kUnit).add(rmse);
    if (what == "test rmse") row.figure("test RMSE", kUnit).add(rmse);
  }

  void measure_city(int city) {
    gnn::SensorsOptions data;
    data.seed = static_cast<std::uint64_t>(city);
    const gnn::GraphData whole = gnn::make_sensors(data);
    for (const std::int64_t epochs : {options_.epochs, options_.full_epochs}) {
      const Job job = demo_job(options_.parties, epochs);
      on_shares(city, job, whole);
      its_twin(job, whole);
      const bool tuned = epochs == options_.full_epochs;
      other_network("GraphSAGE, plain data", gnn::LayerSpec::Kind::kMeanAggregation, tuned, job, whole);
      other_network("dense network, plain data", gnn::LayerSpec::Kind::kDense, tuned, job, whole);
    }
    regressions(whole);
    console_.say(fmt::format(
        "accuracy: city {} of {}: test RMSE {:.2f} on shares after {} epochs", city, options_.cities,
        row(kOnShares, std::to_string(options_.full_epochs)).find("test RMSE")->values().back(), options_.full_epochs));
  }

  void on_shares(int city, const Job& job, const gnn::GraphData& whole) {
    const RunAccount run = trials_.run(fmt::format("accuracy-city{}-{}", city, job.training.epochs), job, whole);
    Row& its = row(kOnShares, std::to_string(job.training.epochs));
    const RankAccount& teller = run.teller();
    for (const ToldReading& reading : teller.readings) add(its, reading.what, reading.value);
    double seconds = 0;
    for (const auto& [number, epoch] : teller.epochs) seconds += epoch.usage.seconds;
    its.figure("training time", "s").add(seconds);
  }

  void its_twin(const Job& job, const gnn::GraphData& whole) {
    const TrainedTwin twin = trained_twin(job, whole);
    add(row("its twin, plain data", std::to_string(job.training.epochs)), twin);
    if (job.training.epochs == options_.full_epochs) add_sizes(job, whole, twin);
  }

  void add_sizes(const Job& job, const gnn::GraphData& whole, const TrainedTwin& twin) {
    if (sizes_->rows.empty()) sizes_->add({{"model", "GCN"}});
    Row& its = sizes_->rows.front();
    std::int64_t parameters = 0;
    for (const gnn::NamedMatrix& one : twin.parameters) parameters += one.values.size();
    its.figure("plain model", "kB").add(1e-3 * file_bytes(gnn::exported(job.training.model, twin.parameters)));
    its.figure("encrypted model", "kB").add(1e-3 * static_cast<double>(parameters * job.training.top.ring_bits) / 8);
    its.figure("data", "MB").add(1e-6 * file_bytes(gnn::arrays_of(whole)));
  }

  void other_network(const std::string& name, gnn::LayerSpec::Kind kind, bool tuned, Job job,
                     const gnn::GraphData& whole) {
    job.training.model = layers(kind);
    const std::string epochs = std::to_string(job.training.epochs);
    if (!tuned) {
      add(row(name, epochs), trained_twin(job, whole));
      return;
    }
    const TunedNetwork best = tuned_network(job, whole);
    Row& its = row(name, "tuned, up to " + epochs);
    add(its, best.trained);
    its.figure("chosen rate", "").add(best.rate);
    its.figure("chosen epochs", "").add(static_cast<double>(best.epochs));
  }

  static void add(Row& row, const TrainedTwin& twin) {
    row.figure("training time", "s").add(twin.seconds);
    for (const gnn::EpochEvent::Reading& reading : twin.readings) add(row, name_of(reading.what), reading.value);
  }

  void regressions(const gnn::GraphData& whole) {
    const gnn::RegressionData data{*whole.x, *whole.targets, gnn::rows_where(whole.train_mask),
                                   gnn::rows_where(whole.val_mask)};
    const auto rmse = [&](const gnn::Regression& made, const gnn::Rows& rows) {
      return gnn::plain_metric({gnn::Metric::kRootMeanSquaredError}, made.predictions, data.y, rows).value;
    };
    const auto fit = [&](const std::string& name, const std::function<gnn::Regression()>& method) {
      Row& its = row(name, "");
      const auto begin = Clock::now();
      const gnn::Regression made = method();
      its.figure("training time", "s").add(seconds_since(begin));
      add(its, "train rmse", rmse(made, data.train));
      add(its, "test rmse", rmse(made, gnn::rows_where(whole.test_mask)));
    };
    fit("exact Gaussian process", [&] { return gnn::exact_gaussian_process(data); });
    fit("sparse Gaussian process, 40 points",
        [&] { return gnn::sparse_gaussian_process(data, {.inducing_points = 40}); });
    fit("ridge regression", [&] { return gnn::ridge_regression(data); });
    fit("mean over neighbours", [&] { return gnn::neighbour_mean(data, *whole.edges); });
    fit("mean predictor", [&] { return gnn::mean_predictor(data); });
  }

  static gnn::ModelSpec layers(gnn::LayerSpec::Kind kind) {
    constexpr std::int64_t kHidden = 16;
    gnn::ModelSpec model;
    model.layers.push_back({.kind = kind, .outputs = kHidden});
    model.layers.push_back({.kind = gnn::LayerSpec::Kind::kRelu});
    model.layers.push_back({.kind = kind, .outputs = 1});
    return model;
  }

  // The aim: errors on shares close to the twin's, city by city.
  void add_aim(std::int64_t epochs, std::int64_t stated_epochs) {
    const auto& secure = row(kOnShares, std::to_string(epochs)).find("test RMSE")->values();
    const auto& twin = row("its twin, plain data", std::to_string(epochs)).find("test RMSE")->values();
    double most = 0;
    for (std::size_t i = 0; i < secure.size(); ++i) most = std::max(most, std::abs(secure[i] / twin[i] - 1));
    constexpr double kWanted = 0.01;
    made_.aim(
        {fmt::format("test RMSE on shares against the twin's, {} epochs", epochs),
         fmt::format("within {:g} %", 100 * kWanted), fmt::format("{:.2f} % at most", 100 * most), most <= kWanted},
        stated_epochs, epochs);
  }

  static constexpr const char* kOnShares = "GCN on shares";

  Trials& trials_;
  const AccuracyOptions& options_;
  Console& console_;
  Measurements made_;
  Table *table_, *sizes_;
};

}  // namespace

Measurements measure_accuracy(Trials& trials, const AccuracyOptions& options, const std::string& command,
                              Console& console) {
  return Accuracy(trials, options, command, console).take();
}

}  // namespace tacit::launcher
