// A training of one rank with a device and one without: the loss of every epoch is the same to the last bit, and so is every
// byte on the wire.
#include <gtest/gtest.h>

#include "gnn/data/split.h"
#include "gnn/run/training_run.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/mpc/device/emulated_device.h"
#include "tests/mpc/wire_trace.h"

namespace tacit::gnn {
namespace {

constexpr int kPartiesOfPair = 2, kRanksOfPair = 3;

struct OfDevices {
  std::string wire;
  std::vector<double> losses;  // at rank 0
  std::array<std::int64_t, kRanksOfPair> products{};
};

OfDevices trained_on(const Job& job, const std::array<bool, kRanksOfPair>& has_device) {
  OfDevices made;
  std::array<mpc::device::EmulatedDevice, kRanksOfPair> devices;
  net::Record record;
  net::run_ranks(net::recorded(mpc::with_fixed_randomness(net::mesh_kind("Memory").make(kPartiesOfPair, 1)), record),
                 [&](net::Mesh& mesh) {
                   const auto rank = static_cast<std::size_t>(mesh.rank());
                   std::optional<GraphData> own;
                   if (mesh.world().is_party())
                     own = part_of(job.whole, job.data.ownership, mesh.rank(), kPartiesOfPair);
                   RunOptions options;
                   // The launcher, too, decides when the sizes are known.
                   options.on_agreement = [&](const DataAgreement&) {
                     if (has_device[rank]) options.device = &devices[rank];
                   };
                   options.on_epoch = [&](const EpochEvent& event) {
                     if (rank == 0) made.losses.push_back(event.loss.value());
                   };
                   run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
                 });
  made.wire = mpc::wire_trace(record);
  for (std::size_t rank = 0; rank < kRanksOfPair; ++rank) made.products[rank] = devices[rank].counts().products;
  return made;
}

TEST(MixedDevices, TrainAPrivateGraphToTheSameBitOfTheLossAndSendTheSameBytes) {
  Job job = communities_job(ownership_of("columns", "rank 1", "rank 0", "public"));
  job.training.epochs = 1;
  const OfDevices host = trained_on(job, {false, false, false});
  const OfDevices mixed = trained_on(job, {true, false, true});
  ASSERT_EQ(host.losses.size(), 1u);
  EXPECT_EQ(mixed.losses, host.losses);
  EXPECT_EQ(mixed.wire, host.wire);
  EXPECT_EQ(mixed.products[1], 0);
  for (const std::size_t rank : {0u, 2u}) EXPECT_GT(mixed.products[rank], 8) << "rank " << rank;
}

}  // namespace
}  // namespace tacit::gnn
