#include "launcher/run/results.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "gnn/model/model_file.h"
#include "launcher/unit_text.h"

namespace tacit::launcher {

namespace {

// predictions.npz holds one number for each node, or with several targets one row for each node.
// gnn::Matrix is stored by rows, as npz is, so the numbers keep their order.
gnn::NamedArray array_of(const gnn::Matrix& predictions, bool classes) {
  std::vector<std::int64_t> shape{predictions.rows()};
  if (predictions.cols() > 1) shape.push_back(predictions.cols());
  const std::span<const double> values(predictions.data(), static_cast<std::size_t>(predictions.size()));
  if (!classes) return {"predictions", {shape, std::vector<double>(values.begin(), values.end())}};
  std::vector<std::int64_t> numbers;
  for (const double value : values) numbers.push_back(std::llround(value));
  return {"predictions", {shape, std::move(numbers)}};
}

std::string list_of(const Json& all, const std::function<std::string(const Json&)>& text_of) {
  std::string list;
  for (const Json& one : all) list += (list.empty() ? "" : ", ") + text_of(one);
  return list;
}

// Joins the reveals of the model's layers into one entry.
Json merged_reveals(const Json& reveals) {
  Json merged = Json::array();
  for (Json reveal : reveals) {
    if (reveal["what"].get<std::string>().starts_with("model: ")) reveal["what"] = "model";
    const bool again = !merged.empty() && merged.back()["what"] == "model" && reveal["what"] == "model";
    if (!again) merged.push_back(std::move(reveal));
  }
  return merged;
}

std::string reveal_text(const Json& reveal) {
  return fmt::format("{} x {} ({})", reveal["count"].get<std::int64_t>(), reveal["what"].get<std::string>(),
                     reveal["to"].get<std::string>());
}

// The stated time is this session's.
std::string epochs_text(const Json& summary) {
  const auto epochs = summary["epochs"].get<std::int64_t>();
  const std::string time = duration_text(summary["seconds"].get<double>());
  const std::int64_t before = summary.value("resumed_from", std::int64_t{0});
  if (before == 0 || summary["command"] != "train") return fmt::format("{} epochs in {}", epochs, time);
  if (before == epochs)
    return fmt::format("{} epochs, all of them in earlier sessions; this one took {}", epochs, time);
  return fmt::format("{} epochs, the last {} of them in this session, which took {}", epochs, epochs - before, time);
}

std::string reading_text(const Json& reading) {
  return fmt::format("{} {:.4g}", reading["what"].get<std::string>(), reading["value"].get<double>());
}

}  // namespace

void write_results(const gnn::RunResult& result, const Job& job, const OutputFolder& folder) {
  if (!result.model.empty()) gnn::write_model(folder.model(), job.training.model, result.model);
  if (!result.predictions) return;
  gnn::write_npz(folder.predictions(), {array_of(*result.predictions, job.data.classes > 0)});
}

std::string why_stopped(const Job& job, std::int64_t epochs) {
  if (!job.training.stopping || epochs >= job.training.epochs) return "";
  const gnn::EarlyStopping& rule = *job.training.stopping;
  const std::string what =
      rule.metric ? fmt::format("{} {}", gnn::name_of(rule.part), gnn::name_of(*rule.metric)) : "training loss";
  const std::string by = rule.least_improvement > 0 ? fmt::format(" by {:g}", rule.least_improvement) : "";
  return fmt::format(
      "training stopped early, after epoch {} of {} at most: the {} had not become better{} for {} {} in "
      "a row (training.stopping)",
      epochs, job.training.epochs, what, by, rule.patience, rule.metric ? "evaluations" : "epochs");
}

std::string closing_text(const Json& summary, const OutputFolder& folder) {
  const bool training = summary["command"] == "train";
  std::string text = fmt::format("rank {} has {} {}, {} of CPU time, {} of memory at most\n",
                                 summary["rank"].get<int>(), training ? "finished:" : "predicted, by the model of",
                                 epochs_text(summary), duration_text(summary["cpu_seconds"].get<double>()),
                                 bytes_text(static_cast<double>(summary["peak_memory"].get<std::int64_t>())));
  if (summary.contains("stopped")) text += summary["stopped"].get<std::string>() + "\n";
  const std::string readings = list_of(summary["readings"], reading_text);
  if (!readings.empty()) text += readings + "\n";
  const Json& total = summary["measured"]["total"];
  text += fmt::format("sent {}, received {}, in {} rounds\n",
                      bytes_text(static_cast<double>(total["payload_sent"].get<std::int64_t>())),
                      bytes_text(static_cast<double>(total["payload_received"].get<std::int64_t>())),
                      summary["measured"]["rounds"].get<std::int64_t>());
  const std::string reveals = list_of(merged_reveals(summary["reveals"]), reveal_text);
  text += fmt::format("revealed: {}\n", reveals.empty() ? "nothing" : reveals);
  for (const Json& sentence : summary.value("implied", Json::array())) text += sentence.get<std::string>() + "\n";
  if (!summary.value("range_watch", true)) text += fmt::format("{}\n", kWatchIsOff);
  std::string files = fmt::format("events.jsonl, {}, job.toml", training ? kTrainingSummary : kPredictionSummary);
  for (const char* kind : {"checkpoints", "predictions", "model"}) {
    if (!summary["files"].contains(kind)) continue;
    files = std::filesystem::path(summary["files"][kind].get<std::string>()).filename().string() + ", " + files;
  }
  return text + fmt::format("in {}: {}\n", folder.path().string(), files);
}

}  // namespace tacit::launcher
