// tacit bench gradients — ways to synchronise the gradients of a training (VGG-11 on pictures): time, bytes, CPU,
// loss and accuracy of each, beside the document that compares four ways.
#pragma once

#include <string>

#include "bench/tables/gradient_options.h"
#include "bench/tables/gradient_trials.h"
#include "bench/tables/measurements.h"
#include "launcher/processes/console.h"

namespace tacit::launcher {

// The names of tables, labels and figures, for the statements and the charts.
namespace gradient_name {
inline constexpr const char* kWays = "ways";
inline constexpr const char* kRanks = "ranks";
inline constexpr const char* kLearning = "test results";
inline constexpr const char* kLosses = "training loss";
inline constexpr const char* kBucketSizes = "buckets";
inline constexpr const char* kBatches = "batches";
inline constexpr const char* kEpochs = "epochs";
inline constexpr const char* kModels = "models";
inline constexpr const char* kDiverged = "diverged";
inline constexpr const char* kSaid = "said in the document";

inline constexpr const char* kIteration = "time of an iteration";
inline constexpr const char* kHiddenPart = "hidden part";
inline constexpr const char* kTestLoss = "test loss";
inline constexpr const char* kTestAccuracy = "accuracy";
inline constexpr const char* kCpuOfRank = "CPU of a rank";
inline constexpr const char* kResident = "resident memory";
inline constexpr const char* kSent = "sent per iteration";
inline constexpr const char* kReceived = "received per iteration";
inline constexpr const char* kWorker = "worker";  // the label "rank" of rank 1, for all ranks but 0
}  // namespace gradient_name

// With each seed, every training takes its turn, since machines drift. Throws ConfigError for a rank that finds bad
// input, and RunFailed if a rank failed.
Measurements measure_gradients(const GradientOptions& options, const std::string& command, Console& console);

}  // namespace tacit::launcher
