// The job that crash_test and its processes (training_party) share.
#pragma once

#include <fmt/format.h>

#include "gnn/checkpoint/checkpoint_store.h"
#include "tests/gnn/train/sample_run.h"

namespace tacit::gnn {

inline constexpr int kCrashParties = 2;

inline Sample crash_sample(std::int64_t epochs) {
  Sample sample = sensors_sample(GraphKind::kPublic);
  sample.plan.epochs = epochs;
  sample.plan.checkpoint_every = 5;
  std::get<SgdOptions>(sample.plan.optimiser).momentum = 0.5;
  return sample;
}

inline StoreOptions crash_store(const std::filesystem::path& folder, int rank) {
  StoreOptions options;
  options.folder = folder / fmt::format("checkpoints of rank {}", rank);
  options.key = folder / fmt::format("storage key of rank {}", rank);
  options.rank = rank;
  options.parties = kCrashParties;
  return options;
}

}  // namespace tacit::gnn
