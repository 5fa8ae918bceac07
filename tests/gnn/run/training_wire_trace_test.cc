// Every byte of whole trainings, from the agreement on the data to the results, changes only on
// purpose.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gnn/data/split.h"
#include "gnn/run/training_run.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/mpc/wire_trace.h"

namespace tacit::gnn {
namespace {

std::string trace_of(const Job& job, int parties) {
  net::Record record;
  net::run_ranks(net::recorded(mpc::with_fixed_randomness(net::mesh_kind("Memory").make(parties, 1)), record),
                 [&](net::Mesh& mesh) {
                   std::optional<GraphData> own;
                   if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
                   run_training(mesh, job.data, job.training, own ? &*own : nullptr);
                 });
  return mpc::wire_trace(record);
}

Job of_two_epochs(Job job) {
  job.training.epochs = 2;
  job.training.model_to = job.training.predictions_to = mpc::To::everyone();
  return job;
}

TEST(WireTrace, OfTrainingsIsThatOfTheFile) {
  Job regression = of_two_epochs(sensors_job(ownership_of("columns", "edges", "rank 0", "rank 1")));
  regression.training.optimiser = AdamOptions{};
  regression.training.rate.initial = 0.01;
  const Job classes = of_two_epochs(communities_job(ownership_of("rows", "public", "rows", "public")));
  const Job graphs = of_two_epochs(classes_of_graphs_job(ownership_of("columns", "rank 1", "rank 0", "public")));
  const std::string found =
      fmt::format("a regression of 2 parties\n{}a classification of 3 parties\n{}classes of graphs of 2 parties\n{}",
                  trace_of(regression, 2), trace_of(classes, 3), trace_of(graphs, 2));
  mpc::expect_wire_trace(WIRE_TRACES "/trainings.wire.txt", found);
}

}  // namespace
}  // namespace tacit::gnn
