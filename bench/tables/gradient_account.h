// GradientAccount — the measurements of all ranks of one training by the program gradient_trainer. Each rank writes a
// JSON file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tacit::launcher {

struct GradientIteration {
  double seconds = 0, computing = 0, waiting = 0, hidden = 0, communicating = 0;
};

struct GradientEpoch {
  std::int64_t epoch = 0;
  double train_loss = 0;
  std::optional<double> test_loss, accuracy;  // accuracy in %; rank 0 tests
};

struct GradientRankAccount {
  std::string digest;  // SHA-256 of the final weights
  std::int64_t parameters = 0;
  std::vector<GradientIteration> iterations;
  std::map<std::int64_t, double> losses;  // by iteration: the mean training loss of the iterations since the last one
  std::vector<GradientEpoch> epochs;
  double wall_seconds = 0, cpu_seconds = 0;
  std::int64_t resident_bytes = 0;
  std::int64_t bytes_sent = 0, bytes_received = 0, packets_sent = 0, packets_received = 0;
  std::int64_t oldest_step = 0;  // asynchronous: the lateness of the latest gradient that was applied, in steps
  std::int64_t diverged = 0;     // the iteration, from 1, in which the training diverged; 0: none

  double cpu_percent() const { return wall_seconds > 0 ? 100 * cpu_seconds / wall_seconds : 0; }
};

// Reads a rank's file. Throws ProtocolError if the file does not belong to this rank and way: the program and this
// command are then of different versions.
GradientRankAccount read_gradient_rank(const std::filesystem::path& file, const std::string& way, int rank);

struct GradientAccount {
  std::vector<GradientRankAccount> ranks;  // if the training diverged, only the ranks that noticed it

  // The first iteration in which a rank noticed that the training diverged; 0: none.
  std::int64_t diverged() const;

  // Means over the measured iterations, without the first, and over `most` iterations at most. Returns the means of
  // the rank with the longest iterations; nullopt: there is no second iteration.
  std::optional<GradientIteration> mean_iteration(std::int64_t most) const;
  bool ends_alike() const;                                // all ranks have the same weights
  const GradientEpoch* epoch(std::int64_t number) const;  // with rank 0's tests; null: there is no such epoch
};

}  // namespace tacit::launcher
