#include "tests/gnn/run/job_refusal.h"

#include <gmock/gmock.h>

#include "gnn/data/split.h"
#include "gnn/plan/plans.h"
#include "gnn/run/training_run.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {

void expect_setting_error(const std::function<void()>& act, const char* path) {
  try {
    act();
    FAIL() << "it was not refused";
  } catch (const SettingError& error) {
    EXPECT_EQ(error.path(), std::string(path)) << error.what();
  }
}

std::vector<std::exception_ptr> errors_before_sharing(const Job& job) {
  constexpr int kParties = 2;
  std::vector<std::vector<std::string>> phases(kParties + 1);
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(kParties, 1), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), kParties);
    RunOptions options;
    options.on_phase = [&](std::string_view phase) {
      phases[static_cast<std::size_t>(mesh.rank())].emplace_back(phase);
    };
    run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
  });
  EXPECT_THAT(phases, testing::Each(testing::Not(testing::Contains("sharing the data"))));
  return errors;
}

void expect_refused(Job valid, const JobRefusal& refusal) {
  EXPECT_NO_THROW(check(Plans{valid.data, valid.training}, 2));
  refusal.change(valid);
  expect_setting_error([&] { check(Plans{valid.data, valid.training}, 2); }, refusal.path);
}

}  // namespace tacit::gnn
