// The trainings of `tacit bench gradients`: not the product of all options, but one list for each question.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/tables/gradient_options.h"

namespace tacit::launcher {

// One training: the arguments of its ranks that differ between trainings.
struct GradientSettings {
  std::string way;
  int ranks = 1;
  std::int64_t batch = 0;  // pictures of a rank in a step
  std::string bucket;
  std::int64_t epochs = 1, iterations = 0;  // iterations 0: all of each epoch
  std::int64_t test = 0;                    // pictures; 0: all
  int micro_batches = 1, threads = 1;
  std::string link;  // emulated for this training alone; "": the link of the options
  std::uint64_t seed = 1;

  auto operator<=>(const GradientSettings&) const = default;
  std::string text() const;  // "buckets of 25MB, 4 x 64, seed 1"
};

class GradientPlan {
 public:
  // `cores`: the cores that this process may use.
  GradientPlan(const GradientOptions& options, int cores);

  // Every training once, in order; a seed's trainings are next to each other, since machines drift.
  std::vector<GradientSettings> all() const;

  // The trainings of one question with one seed.
  std::vector<GradientSettings> ways(std::uint64_t seed) const;     // one epoch of each way, then async, then PyTorch's
  std::vector<GradientSettings> buckets(std::uint64_t seed) const;  // a few iterations with each size
  std::vector<GradientSettings> batches(std::uint64_t seed) const;  // one epoch with each batch
  std::vector<GradientSettings> epochs(std::uint64_t seed) const;   // the longest training
  // A few iterations, by ranks and by one process that adds up as many parts of the batch: equal models. Empty unless
  // "single" and another way are measured.
  std::vector<GradientSettings> same_model(std::uint64_t seed) const;
  // A few iterations by buckets on a link of 1 Gbit/s, where a core is free for the sums: the aim on hidden communication.
  // Empty unless this machine has more cores than ranks.
  std::vector<GradientSettings> hiding(std::uint64_t seed) const;
  int cores() const { return cores_; }

 private:
  GradientSettings of(const std::string& way, std::uint64_t seed) const;
  std::int64_t few_test_pictures() const;
  int threads_of(bool single) const;
  bool has(std::string_view way) const;
  std::string fastest_way() const;  // "": no way has several ranks

  const GradientOptions& options_;
  int cores_;
};

}  // namespace tacit::launcher
