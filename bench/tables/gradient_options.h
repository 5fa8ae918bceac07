// The options of `tacit bench gradients`: which trainings it compares.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::launcher {

inline constexpr std::string_view kSingleWay = "single", kAsyncWay = "async", kGatherWay = "gather-scatter",
                                  kPerLayerWay = "per-layer", kBucketsWay = "buckets", kSecureWay = "secure-sum";
// PyTorch's DistributedDataParallel over Gloo, for comparison: another program, over plain TCP.
inline constexpr std::string_view kDdpWay = "ddp-gloo";

// A synchronous way to add up gradients, as the program gradient_trainer names it; or a single process.
struct GradientWay {
  std::string_view name, does;
};
const std::vector<GradientWay>& gradient_ways();

struct GradientOptions {
  std::vector<std::string> ways;                                       // synchronous; empty: none
  std::vector<std::string> buckets = {"5MB", "10MB", "25MB", "50MB"};  // for the way "buckets"
  std::vector<std::int64_t> batches = {64, 128, 256};                  // pictures of a rank in a step
  std::vector<std::int64_t> epochs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};  // test results are shown after these epochs
  bool async = true;                                                   // the asynchronous way too
  int seeds = 5;  // each makes first weights and the order of the pictures
  int ranks = 4;  // ranks in every way except "single"
  int staleness = 4;
  std::string data;                  // a folder with CIFAR-10's binary batches; "": made pictures
  std::int64_t train = 0, test = 0;  // pictures; 0: all
  std::int64_t iterations = 39;      // measured; one more comes before them
  bool batch_norm = true;            // without it, training diverges at the usual rate
  double rate = 0.1, momentum = 0.9, weight_decay = 1e-4;
  std::string link;                    // emulated between the ranks; "": none
  int threads = 0;                     // threads of a rank; 0: the cores here, divided by the ranks; 1 on other hosts
  std::string hosts;                   // a file with a host for each rank; "": here
  std::string ssh = "ssh";             // with hosts: the command and its options
  int port = 0;                        // with hosts: rank 0 listens here; 0: the usual port
  std::string programs;                // the folder of gradient_trainer; "": the build's folder
  std::string ddp;                     // the script of kDdpWay; "": this way is not measured
  std::chrono::seconds silence{1800};  // a training without a line of output for this long is ended
};

// The path of bench/programs/ddp_gloo.py in the sources from which this command was built, if Debian's python3-torch
// is installed; else "".
std::string find_ddp();

// These throw ConfigError. Each value may be listed once.
std::vector<std::string> parse_gradient_ways(const std::string& text);  // "single,ring"
std::vector<std::string> parse_buckets(const std::string& text);        // "5MB,25MiB": kB, MB, KiB, MiB or B
std::int64_t bytes_of_bucket(std::string_view text);
std::vector<std::int64_t> parse_counts(const std::string& text, std::string_view of_what);  // "1..10" or "64,128"
struct Updates {
  bool sync = false, async = false;
};
Updates parse_updates(const std::string& text);  // "sync", "async" or "sync,async"

}  // namespace tacit::launcher
