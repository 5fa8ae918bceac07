#include "launcher/run/results.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "gnn/run/bounded_leakage.h"
#include "launcher/counts_text.h"
#include "launcher/data/contents.h"
#include "launcher/model/described_model.h"
#include "launcher/plan/privacy_account.h"
#include "launcher/reading_name.h"
#include "launcher/unit_text.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

gnn::NamedArray numbers_array(std::string key, const gnn::Matrix& values, bool whole) {
  std::vector<std::int64_t> shape{values.rows()};
  if (values.cols() > 1) shape.push_back(values.cols());
  const std::span<const double> all(values.data(), static_cast<std::size_t>(values.size()));
  if (!whole) return {std::move(key), {shape, std::vector<double>(all.begin(), all.end())}};
  std::vector<std::int64_t> numbers;
  for (const double value : all) numbers.push_back(std::llround(value));
  return {std::move(key), {shape, std::move(numbers)}};
}

// The numbers of the predicted pairs, and their nodes.
gnn::Rows pairs_in(const gnn::RunResult& result, const gnn::GraphData& part) {
  return result.nodes ? *result.nodes : gnn::all_rows(part.pairs->size());
}

gnn::Edges ends_at(const gnn::GraphData& part, const gnn::Rows& pairs) {
  return {gnn::rows_at(part.pairs->from, pairs), gnn::rows_at(part.pairs->to, pairs)};
}

// The arrays of predictions.npz:
//
//   predictions    a number for each node or graph; a row for each with several targets or named classes
//   probabilities  a row for each node or graph
//   nodes, graphs  the predicted ones, if the user named some; with snapshots, `nodes` always
//   snapshots      with snapshots: the snapshot of each prediction
//   pairs          for links: the numbers of the pairs, and their nodes as `from` and `to`
//   class_names    the names of class 0, 1, ..., if the job has names
//
// gnn::Matrix is stored by rows, as npz is, so the numbers keep their order.
std::vector<gnn::NamedArray> arrays_of(const gnn::RunResult& result, const gnn::DataPlan& data,
                                       const gnn::GraphData* part) {
  const bool classes = data.classes > 0;
  std::vector<gnn::NamedArray> arrays;
  const gnn::Predictions& told = result.predictions;
  if (told.values) arrays.push_back(numbers_array("predictions", *told.values, classes));
  if (told.probabilities) {
    arrays.push_back(numbers_array("probabilities", *told.probabilities, false));
    arrays.back().array.shape = {told.probabilities->rows(), told.probabilities->cols()};
  }
  const char* named = data.ownership.graphs ? "graphs" : "nodes";
  if (data.links) {
    const gnn::Rows pairs = pairs_in(result, *part);
    const gnn::Edges ends = ends_at(*part, pairs);
    const auto size = std::ssize(pairs);
    arrays.push_back({"pairs", {{size}, pairs}});
    arrays.push_back({"from", {{size}, ends.from}});
    arrays.push_back({"to", {{size}, ends.to}});
  } else if (data.snapshots > 1) {
    const std::int64_t all = told.values ? told.values->rows() : told.probabilities->rows();
    std::vector<std::int64_t> nodes, snapshots;
    for (const std::int64_t row : result.nodes.value_or(gnn::all_rows(all))) {
      nodes.push_back(row / data.snapshots);
      snapshots.push_back(row % data.snapshots);
    }
    arrays.push_back({named, {{all}, std::move(nodes)}});
    arrays.push_back({"snapshots", {{all}, std::move(snapshots)}});
  } else if (result.nodes) {
    arrays.push_back({named, {{std::ssize(*result.nodes)}, *result.nodes}});
  }
  if (!data.class_names.empty()) arrays.push_back({"class_names", {}, data.class_names});
  return arrays;
}

// A field of a CSV file, in quotes if it needs them.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// The same as a table: a line for each node or graph, with the node's id if this rank knows it, or for each pair of nodes, with
// both nodes. The names of predicted classes follow their numbers, and a probability has its class in the heading.
std::string predictions_table(const gnn::RunResult& result, const gnn::DataPlan& data, const gnn::GraphData* part) {
  const gnn::ClassNames& names = data.class_names;
  const bool graphs = data.ownership.graphs;
  const gnn::Predictions& told = result.predictions;
  const std::int64_t rows = told.values ? told.values->rows() : told.probabilities->rows();
  const auto node = [&](std::int64_t row) {
    return result.nodes ? (*result.nodes)[static_cast<std::size_t>(row)] : row;
  };
  const bool named = !graphs && !data.links && part != nullptr && part->ids;
  // An owner of rows may have the ids of its own nodes alone.
  const std::int64_t ids = named ? std::ssize(*part->ids) : 0;
  const std::int64_t first =
      named && ids < part->graph_nodes() && part->own_rows ? part->own_rows->first / part->snapshots : 0;
  const auto id_of = [&](std::int64_t number) {
    const std::int64_t own = number - first;
    return own >= 0 && own < ids ? csv_field((*part->ids)[static_cast<std::size_t>(own)]) : std::string();
  };
  std::string text = data.links ? "pair,from,to" : graphs ? "graph" : named ? "node,id" : "node";
  if (data.snapshots > 1) text += ",snapshot";
  const gnn::Edges ends = data.links ? ends_at(*part, pairs_in(result, *part)) : gnn::Edges();
  const auto add_heads = [&](std::string_view head, std::int64_t columns) {
    for (std::int64_t c = 0; c < columns; ++c)
      text += columns > 1 ? fmt::format(",{}_{}", head, c) : fmt::format(",{}", head);
  };
  const std::int64_t predicted = told.values ? told.values->cols() : 0;
  add_heads("prediction", predicted);
  if (!names.empty()) add_heads("class_name", predicted);
  for (Eigen::Index c = 0; told.probabilities && c < told.probabilities->cols(); ++c) {
    text += "," + csv_field(fmt::format("probability_{}", gnn::name_of_class(names, c)));
  }
  text += "\n";
  for (std::int64_t row = 0; row < rows; ++row) {
    text += std::to_string(node(row) / data.snapshots);
    if (named) text += "," + id_of(node(row) / data.snapshots);
    if (data.snapshots > 1) text += fmt::format(",{}", node(row) % data.snapshots);
    if (data.links) {
      const auto at = static_cast<std::size_t>(row);
      text += fmt::format(",{},{}", ends.from[at], ends.to[at]);
    }
    for (Eigen::Index c = 0; told.values && c < told.values->cols(); ++c) {
      const double value = (*told.values)(row, c);
      text += data.classes > 0 ? fmt::format(",{}", std::llround(value)) : fmt::format(",{:.9g}", value);
    }
    for (Eigen::Index c = 0; !names.empty() && c < predicted; ++c) {
      text += "," + csv_field(gnn::name_of_class(names, std::llround((*told.values)(row, c))));
    }
    for (Eigen::Index c = 0; told.probabilities && c < told.probabilities->cols(); ++c) {
      text += fmt::format(",{:.6f}", (*told.probabilities)(row, c));
    }
    text += "\n";
  }
  return text;
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

std::string reveal_text(const Json& reveal, const gnn::ClassNames& class_names) {
  return fmt::format("{} x {} ({})", reveal["count"].get<std::int64_t>(),
                     net::printable(shown_name(reveal["what"].get<std::string>(), class_names)),
                     reveal["to"].get<std::string>());
}

// The stated time is this session's.
std::string epochs_text(const Json& summary) {
  const auto epochs = summary["epochs"].get<std::int64_t>();
  const std::string time = duration_text(summary["seconds"].get<double>());
  const std::int64_t before = summary.value("resumed_from", std::int64_t{0});
  if (summary["command"] != "train") return fmt::format("{} epochs in {}", epochs, time);
  if (before == 0) return fmt::format("{} epochs in {}", epochs, time);
  if (before == epochs)
    return fmt::format("{} epochs, all of them in earlier sessions; this one took {}", epochs, time);
  return fmt::format("{} epochs, the last {} of them in this session, which took {}", epochs, epochs - before, time);
}

// The dealer sees no requests.
std::string served_text(const Json& served) {
  const auto number = [&](const char* key) { return served[key].get<std::int64_t>(); };
  if (number("turns") == 0) return "served no request it knows of, by the model of";
  return fmt::format("served {} for {}{}, by the model of", several(number("requests"), "request"),
                     several(number("nodes"), "node"),
                     number("refused") > 0 ? fmt::format(", and refused {}", number("refused")) : "");
}

// The line about a session without a dealer.
std::string leakage_text_of(const Json& summary) {
  const mpc::Cost stated = struct_in<mpc::Cost>(summary["stated"]);
  if (stated.made_rounds == 0) return "";
  return fmt::format("lattice answers tell at most {} about a party's masks in this session\n",
                     gnn::leakage_text(stated.made_leakage));
}

std::string reading_text(const Json& reading) {
  return fmt::format("{} {:.4g}", net::printable(shown_name(struct_in<ToldReading>(reading))),
                     reading["value"].get<double>());
}

}  // namespace

void write_links(const gnn::GraphData& part, const gnn::DataPlan& data, const gnn::LinkPairs& numbers,
                 const OutputFolder& folder) {
  constexpr std::array<gnn::Part, 3> kParts = {gnn::Part::kTrain, gnn::Part::kValidation, gnn::Part::kTest};
  const gnn::LinkParts links = gnn::links_of(part, *data.links);
  const gnn::LinkParts drawn = numbers.drawn_pairs(part.nodes, data.private_graph() ? gnn::LinkParts() : links);
  std::string text = "part,from,to,link\n";
  for (const gnn::Part of : kParts) {
    for (const bool link : {true, false}) {
      const gnn::Edges& pairs = gnn::in_part(link ? links : drawn, of);
      for (std::size_t i = 0; i < pairs.from.size(); ++i) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", gnn::name_of(of), pairs.from[i], pairs.to[i],
                       link ? 1 : 0);
      }
    }
  }
  folder.write(folder.links().filename(), text);
}

void write_results(const gnn::RunResult& result, const Job& job, const OutputFolder& folder,
                   const gnn::GraphData* part) {
  if (!result.model.empty()) write_described_model(folder.model(), described_model(job, result.model, part));
  if (!result.predictions.any()) return;
  gnn::write_npz(folder.predictions(), arrays_of(result, job.data, part));
  folder.write(folder.predictions_table().filename(), predictions_table(result, job.data, part));
}

std::string why_stopped(const Job& job, const gnn::RunResult& result) {
  if (!job.training.stopping) return "";
  const gnn::Judged& rule = job.training.stopping->judged;
  const std::optional<std::size_t> metric = gnn::judged_metric(job.training, rule);
  const std::string what =
      metric ? net::printable(shown_name(job.training.metrics[*metric], job.data.class_names)) : "training loss";
  std::string why;
  if (result.epochs < job.training.epochs) {
    const std::string by = rule.least_improvement > 0 ? fmt::format(" by {:g}", rule.least_improvement) : "";
    why = fmt::format(
        "training stopped early, after epoch {} of {} at most: the {} had not become better{} for {} {} in a row "
        "(training.stopping)",
        result.epochs, job.training.epochs, what, by, rule.patience, rule.metric ? "evaluations" : "epochs");
  }
  if (!result.of_epoch) return why;
  const std::string which = *result.of_epoch == 0 ? "the initial model, before any epoch"
                                                  : fmt::format("the model after epoch {}", *result.of_epoch);
  const std::string best = rule.least_improvement > 0
                               ? fmt::format("the last {} that was better by {:g}", what, rule.least_improvement)
                               : fmt::format("the best {}", what);
  return fmt::format("{}the result is {}, which had {}", why.empty() ? "" : why + "; ", which, best);
}

namespace {

std::string_view subject_in(const Json& told) {
  return told.contains("pairs")       ? "pair"
         : told.contains("graphs")    ? "graph"
         : told.contains("snapshots") ? "row"
                                      : "node";
}

}  // namespace

std::string closing_text(const Json& summary, const OutputFolder& folder) {
  const bool training = summary["command"] == "train", serving = summary["command"] == "serve";
  const std::string did =
      training ? "finished:"
      : serving
          ? served_text(summary["served"])
          : fmt::format("predicted {}, by the model of",
                        several(summary["subject"]["predicted"].get<std::int64_t>(), subject_in(summary["subject"])));
  std::string text =
      fmt::format("rank {} has {} {}, {} of CPU time, {} of memory at most\n", summary["rank"].get<int>(), did,
                  epochs_text(summary), duration_text(summary["cpu_seconds"].get<double>()),
                  bytes_text(static_cast<double>(summary["peak_memory"].get<std::int64_t>())));
  if (summary.contains("stopped")) text += summary["stopped"].get<std::string>() + "\n";
  const std::string readings = list_of(summary["readings"], reading_text);
  if (!readings.empty()) text += readings + "\n" + counts_text(summary["readings"]);
  if (summary.contains("without_edges")) {
    text += fmt::format("without edges: {}\n", list_of(summary["without_edges"], reading_text));
  }
  const Json& total = summary["measured"]["total"];
  text += fmt::format("sent {}, received {}, in {} rounds\n",
                      bytes_text(static_cast<double>(total["payload_sent"].get<std::int64_t>())),
                      bytes_text(static_cast<double>(total["payload_received"].get<std::int64_t>())),
                      summary["measured"]["rounds"].get<std::int64_t>());
  text += leakage_text_of(summary);
  const auto class_names = summary.value("class_names", gnn::ClassNames());
  const std::string reveals =
      list_of(merged_reveals(summary["reveals"]), [&](const Json& reveal) { return reveal_text(reveal, class_names); });
  text += fmt::format("revealed: {}\n", reveals.empty() ? "nothing" : reveals);
  if (summary.contains("privacy")) text += privacy_text(summary["privacy"]);
  for (const Json& sentence : summary.value("implied", Json::array())) text += sentence.get<std::string>() + "\n";
  if (!summary.value("range_watch", true) && !summary.contains("privacy")) text += fmt::format("{}\n", kWatchIsOff);
  std::string files =
      serving ? fmt::format("{}events.jsonl, {}, job.toml",
                            std::filesystem::exists(folder.requests()) ? "requests.jsonl, " : "", kServiceSummary)
              : fmt::format("events.jsonl, {}, job.toml", training ? kTrainingSummary : kPredictionSummary);
  for (const char* kind : {"checkpoints", "predictions", "model"}) {
    if (!summary["files"].contains(kind)) continue;
    files = std::filesystem::path(summary["files"][kind].get<std::string>()).filename().string() + ", " + files;
    if (kind == std::string_view("predictions")) files = folder.predictions_table().filename().string() + ", " + files;
  }
  return text + fmt::format("in {}: {}\n", folder.path().string(), files);
}

}  // namespace tacit::launcher
