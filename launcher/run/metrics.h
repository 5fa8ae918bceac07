// Metrics — the progress of a rank's run in Prometheus' text format, with only the values that this rank may see.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "gnn/serve/service.h"
#include "gnn/train/trainer.h"
#include "launcher/json.h"
#include "launcher/serve/request_result.h"

namespace tacit::launcher {

class Metrics {
 public:
  Metrics(const std::string& job, int rank, std::int64_t epochs);

  void begin(const std::string& phase);
  void take(const gnn::EpochEvent& event);
  void checkpoint(std::int64_t epoch);
  void privacy(const Json& account);                    // in a private training (launcher/plan/privacy_account.h)
  void take(const gnn::AskedTurn& turn);                // in a service, at every party
  void answered(RequestResult result, double seconds);  // a request of this rank's own users

  std::string text() const;  // in the text format 0.0.4

 private:
  const std::string labels_;  // in every line: run="sensors",rank="0"
  const std::int64_t planned_;
  mutable std::mutex mutex_;  // guards all members below
  std::string phase_;
  std::int64_t epochs_ = 0, checkpoint_ = 0, rounds_ = 0, stated_rounds_ = 0, stated_bytes_ = 0, peak_memory_ = 0;
  double epoch_seconds_ = 0, cpu_seconds_ = 0;
  std::optional<double> loss_;
  std::map<std::string, double> readings_;
  std::map<std::string, double> epsilons_;         // after all epochs, by adversary
  std::map<std::size_t, net::PeerTraffic> peers_;  // sums over all epochs
  // For a service.
  std::map<std::pair<int, RequestResult>, std::int64_t> asked_;  // requests of each rank
  std::map<int, std::int64_t> nodes_;                            // nodes in the answered requests of each rank
  struct Answers {
    std::int64_t count = 0;
    double seconds = 0;
  };
  std::map<RequestResult, Answers> own_;
};

}  // namespace tacit::launcher
