#include "bench/tables/demo_job.h"

#include <fmt/format.h>

#include "bench/data/sensors.h"
#include "gnn/data/atomic_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/split.h"
#include "launcher/job/load_job.h"

namespace tacit::launcher {

namespace {

// A party that knows which stations are close does not know the readings of the next hour.
constexpr const char* kJob = R"(# made by `tacit demo`
name = "demo"
parties = {parties}
correlations = "{correlations}"

[data]
features = "columns"
edges = "rank {edges}"
labels = "rank {labels}"
masks = "public"
files = "rank{{rank}}.npz"

[preprocessing]
features = "standardise"
targets = "standardise"

[model]
gcn = {{ hidden = 16 }}

[training]
epochs = {epochs}
optimiser = {{ kind = "sgd", rate = 0.1 }}

[reveal]
loss = "everyone"

[[reveal.metric]]
what = "rmse"
part = "train"

[[reveal.metric]]
what = "rmse"
part = "test"
)";

std::string text_of(int parties, std::int64_t epochs, const std::string& correlations = "dealer") {
  return fmt::format(fmt::runtime(kJob), fmt::arg("parties", parties), fmt::arg("edges", parties > 2 ? 1 : 0),
                     fmt::arg("labels", parties - 1), fmt::arg("epochs", epochs),
                     fmt::arg("correlations", correlations));
}

std::string in_words(const gnn::GraphData& part, const gnn::GraphData& whole) {
  return fmt::format("{} of {} columns of readings{}{}", part.x ? part.x->cols() : 0, whole.x->cols(),
                     part.edges ? fmt::format(", {} edges", part.edges->size()) : "",
                     part.targets ? ", what is read an hour later" : "");
}

}  // namespace

Job demo_job(int parties, std::int64_t epochs) {
  return read_job(parse_document(text_of(parties, epochs), "the demonstration's job")).job;
}

DemoJob make_demo(const std::filesystem::path& folder, int parties, std::int64_t epochs,
                  const std::string& correlations) {
  DemoJob demo{folder / "demo.toml", gnn::make_sensors({}), {}};
  gnn::AtomicFile file(demo.file);
  const std::string text = text_of(parties, epochs, correlations);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
  const Job job = load_job(demo.file).job;
  for (int rank = 0; rank < parties; ++rank) {
    const gnn::GraphData part = gnn::part_of(demo.whole, job.data.ownership, rank, parties);
    gnn::write_graph_npz(job.files.of(rank), part);
    demo.shares.push_back(in_words(part, demo.whole));
  }
  return demo;
}

}  // namespace tacit::launcher
