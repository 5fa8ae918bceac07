#include "launcher/run/revealed_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/job/load_job.h"
#include "launcher/run/event_log.h"
#include "net/error.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

constexpr const char* kModel = "model.npz";

bool is_rank_folder(const fs::path& folder) { return fs::exists(folder / "events.jsonl"); }

std::vector<fs::path> rank_folders(const fs::path& output) {
  if (is_rank_folder(output)) return {output};
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(output)) {
    const std::string name = entry.path().filename().string();
    const bool aside = name.find('.') != std::string::npos;  // an earlier run, moved aside
    if (name.starts_with("rank") && !aside && is_rank_folder(entry.path())) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

bool has_finished(const fs::path& folder) { return !EventLog::read(folder / "events.jsonl", {"finished"}, 1).empty(); }

[[noreturn]] void refuse(const fs::path& output, const std::vector<fs::path>& folders) {
  if (folders.empty()) {
    throw ConfigError(fmt::format("{} holds no run: name a rank's output folder, or train first", output.string()));
  }
  if (std::none_of(folders.begin(), folders.end(), has_finished)) {
    throw ConfigError(
        fmt::format("the run in {} has not finished, and so revealed no model: let it go on to its end "
                    "(tacit train JOB --resume)",
                    output.string()));
  }
  throw ConfigError(fmt::format(
      "the model was never revealed to the rank of {}: only ranks that the job's reveal.model names get it; "
      "train with reveal.model = 0, or another rank, or \"everyone\"",
      folders.size() == 1 ? folders.front().string() : output.string() + ", or any other here"));
}

// The number and the widths of consecutive layers; `hidden` is the width between layers.
struct Layers {
  std::int64_t count = 0, inputs = 0, hidden = 0, outputs = 0;
};

// The arguments of a class of PyTorch Geometric, if the model consists of such layers with one
// hidden width.
std::optional<Layers> plain_layers(const RevealedModel& model, const std::string& weight) {
  Layers layers;
  for (const gnn::NamedArray& one : model.arrays) {
    if (one.key.starts_with("lins.")) return std::nullopt;
    if (one.key != fmt::format("convs.{}.{}", layers.count, weight)) continue;
    const std::int64_t outputs = one.array.shape.at(0), inputs = one.array.shape.at(1);
    if (layers.count == 0) layers.inputs = inputs;
    if (layers.count == 1) layers.hidden = inputs;
    if (layers.count > 0 && inputs != layers.hidden) return std::nullopt;
    layers.outputs = outputs;
    ++layers.count;
  }
  if (layers.count == 0) return std::nullopt;
  if (layers.count == 1) layers.hidden = layers.outputs;
  return layers;
}

}  // namespace

RevealedModel find_revealed_model(const fs::path& from, const std::vector<std::string>& overrides) {
  const fs::path output = fs::is_directory(from) ? from : fs::path(load_job(from, overrides).job.output);
  const std::vector<fs::path> folders = fs::is_directory(output) ? rank_folders(output) : std::vector<fs::path>{};
  for (const fs::path& folder : folders) {
    if (!fs::exists(folder / kModel)) continue;
    const gnn::Npz file(folder / kModel);
    RevealedModel model{folder / kModel, {}};
    for (const std::string& key : file.keys()) model.arrays.push_back({key, file.read(key)});
    return model;
  }
  refuse(output, folders);
}

std::string python_that_loads(const RevealedModel& model, const std::string& file) {
  std::string made = "model = ...  # a module whose layers have these names and shapes";
  for (const auto& [weight, name] : {std::pair("lin.weight", "GCN"), std::pair("lin_l.weight", "GraphSAGE")}) {
    if (const auto layers = plain_layers(model, weight)) {
      made = fmt::format(
          "model = torch_geometric.nn.{}(in_channels={}, hidden_channels={}, num_layers={}, out_channels={})", name,
          layers->inputs, layers->hidden, layers->count, layers->outputs);
    }
  }
  std::string escaped;
  for (const char c : file) escaped += c == '\\' || c == '"' ? std::string{'\\', c} : std::string{c};
  return fmt::format(
      "  {}\n  arrays = numpy.load(\"{}\")\n  model.load_state_dict({{name: torch.from_numpy(arrays[name]) for name in "
      "arrays.files}})\n",
      made, escaped);
}

}  // namespace tacit::launcher
